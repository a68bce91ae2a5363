import { FibreClient } from '../src/index.js';
import { json, scriptedServer, type Step } from './scripted-server.js';

let server: Awaited<ReturnType<typeof scriptedServer>>;
afterEach(() => server.close());

/** A page with a link to the next one. */
const page =
  (items: unknown[], next?: string): Step =>
  (request, response) =>
    json(200, items, next === undefined ? {} : { link: `<http://other.example/>; rel=self, <${next}>; rel=next` })(request, response);

async function walk(...pages: Step[]): Promise<unknown[]> {
  server = await scriptedServer(...pages);
  const client = new FibreClient({ coverageUrl: server.url, token: () => 'token' });
  const items: unknown[] = [];
  for await (const item of client.coverage.nodes.list({ token: 'planned' })) items.push(item);
  return items;
}
const paths = () => server.requests.map(({ url }) => url);

it('continues after an empty page', async () => {
  expect(await walk(page([1], 'http://host/a?_page_cursor=A'), page([], 'http://host/a?_page_cursor=B'), page([2]))).toEqual([1, 2]);
});

it('follows any path and parameters in the link, and does not send the token to any other host', async () => {
  await walk(page([1], 'https://other.example/elsewhere/?x=%2C&_page_cursor=A%3D'), page([2]));

  expect(paths()).toEqual(['/v2/cov/nodes?token=planned', '/elsewhere/?x=%2C&_page_cursor=A%3D']);
  expect(server.requests[1]!.headers).toMatchObject({ authorization: 'Bearer token', accept: 'application/json' });
});

it('continues at a page that failed or has not been read yet', async () => {
  server = await scriptedServer(page([1], 'http://host/a?_page_cursor=A'), json(500, {}), page([2]));
  const nodes = new FibreClient({ coverageUrl: server.url, token: () => 'token' }).coverage.nodes.list();
  const { items, next } = await nodes.page();

  expect(items).toEqual([1]);
  await expect(nodes.page(next)).rejects.toMatchObject({ status: 500 });
  expect(await nodes.page(next)).toMatchObject({ items: [2], next: undefined });
  expect(paths()).toEqual(['/v2/cov/nodes', '/a?_page_cursor=A', '/a?_page_cursor=A']);
});

it('fails when the response is not a page', async () => {
  await expect(walk(json(200, { items: [] }))).rejects.toMatchObject({ name: 'UnexpectedAnswerError' });
  await server.close();
  await expect(walk((_request, response) => response.end('<html>'))).rejects.toMatchObject({ name: 'UnexpectedAnswerError' });
});

it('sends nothing until it is iterated, and then no more requests than needed', async () => {
  server = await scriptedServer(page([1, 2], 'http://host/a?_page_cursor=A'), page([3]));
  const nodes = new FibreClient({ coverageUrl: server.url, token: () => 'token' }).coverage.nodes.list()[Symbol.asyncIterator]();
  expect(server.requests).toHaveLength(0);
  await nodes.next();
  await nodes.next();
  await nodes.return();
  expect(server.requests).toHaveLength(1);
});
