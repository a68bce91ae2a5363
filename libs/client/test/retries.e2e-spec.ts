import { EventEmitter, once } from 'node:events';
import { type ServerResponse } from 'node:http';
import {
  AbortedError,
  ApiError,
  ConnectionError,
  FibreClient,
  type FibreClientOptions,
  type NewEvent,
  TimeoutError,
} from '../src/index.js';
import { breakOff, hangUp, json, scriptedServer, type Step, unavailable } from './scripted-server.js';

type Server = Awaited<ReturnType<typeof scriptedServer>>;
let server: Server;
let tokens = 0;
/** Requests sent through the injected `fetch`. */
let sent: { at: number; request: Request; response?: Response }[] = [];

beforeEach(() => {
  tokens = 0;
  sent = [];
});
afterEach(() => server.close());

async function client(steps: Step[], options: Partial<FibreClientOptions> = {}): Promise<FibreClient> {
  server = await scriptedServer(...steps);
  const counting = async (request: Request): Promise<Response> => {
    const entry: (typeof sent)[number] = { at: performance.now(), request };
    sent.push(entry);
    entry.response = await fetch(request);
    return entry.response;
  };
  const token = () => Promise.resolve(`token-${++tokens}`);
  return new FibreClient({ coverageUrl: server.url, eventsUrl: server.url, token, fetch: counting, ...options });
}

const NODE_ID = '01920000-0000-7000-8000-000000000001';
const NODE = { node_id: NODE_ID };
const NEW_NODE = { relation_id: NODE_ID, token: 'planned', center: '48.2, 16.3' } as const;
const EVENT: NewEvent = { entity_id: NODE_ID, event_type: 'deactivation', event_at: '2026-01-01T10:00:00+01:00' };

describe('503 and 429', () => {
  it('are retried with a fresh token each time, after Retry-After', async () => {
    const { coverage } = await client([unavailable('1'), json(429, { code: 'slow-down' }), json(200, NODE)]);

    expect(await coverage.nodes.read(NODE_ID)).toEqual(NODE);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-3']);
    expect(sent[1]!.at - sent[0]!.at).toBeGreaterThanOrEqual(990);
    expect(sent).toHaveLength(3);
  });

  it('with an unknown outcome are retried only if that is safe', async () => {
    const unknown = json(503, { status: 503, code: 'outcome-unknown', detail: 'Perhaps.' }, { 'retry-after': '0' });
    const { coverage, events } = await client([unknown, json(200, NODE), unknown, json(200, {}), unknown]);
    expect(await coverage.nodes.read(NODE_ID)).toEqual(NODE);
    await events.put(EVENT);
    expect(sent.map(({ request }) => request.method)).toEqual(['GET', 'GET', 'PUT', 'PUT']);
    for (const write of [() => coverage.nodes.create(NEW_NODE), () => coverage.nodes.merge(NODE_ID)])
      await expect(write()).rejects.toMatchObject({ status: 503, code: 'outcome-unknown' });
    expect(sent).toHaveLength(6);
  });

  it('are retried for every operation, with the same body', async () => {
    const bodies: string[] = [];
    const keep =
      (next: Step): Step =>
      async (request, response) => {
        bodies.push(await text(request));
        next(request, response);
      };
    const { coverage } = await client([keep(unavailable()), keep(json(201, NODE))]);

    await coverage.nodes.create(NEW_NODE);
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([NEW_NODE, NEW_NODE]);
  });

  it('are returned when retries do not help', async () => {
    const { coverage } = await client([unavailable('0')], { retries: 1 });
    const error = await coverage.nodes.read(NODE_ID).catch((error: unknown) => error);

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 503, code: 'unavailable', retryAfter: 0, requestId: 'r-1', message: '503 unavailable: Later.' });
    expect(sent).toHaveLength(2);
  });

  it.each(['61', new Date(Date.now() + 3_600_000).toUTCString()])('are returned at once when Retry-After is %s', async (retryAfter) => {
    const { coverage } = await client([unavailable(retryAfter)]);
    const error = (await coverage.nodes.read(NODE_ID).catch((error: unknown) => error)) as ApiError;

    expect(error.retryAfter).toBeGreaterThan(60);
    expect(sent).toHaveLength(1);
  });

  it('cause no further wait or retry once the caller aborts', async () => {
    const { coverage } = await client([unavailable('30')]);
    const controller = new AbortController();
    const reading = coverage.nodes.read(NODE_ID, { signal: controller.signal }).catch((error: unknown) => error);
    while (sent[0]?.response === undefined) await new Promise((resolve) => setImmediate(resolve));
    const aborted = performance.now();
    controller.abort(new Error('enough'));

    expect(await reading).toMatchObject({ name: 'AbortError', message: 'Aborted: enough' });
    expect(performance.now() - aborted).toBeLessThan(20_000);
    expect(sent).toHaveLength(1);
  });
});

describe('an error response', () => {
  it.each([400, 403, 404, 409, 412, 422, 500])('with %i is final', async (status) => {
    const problem = {
      status,
      code: 'some-code',
      detail: 'No.',
      errors: [{ pointer: '#/center', detail: 'must be two numbers' }],
      hint: 'swapped?',
    };
    const { events } = await client([json(status, problem, { 'retry-after': '0' })]);
    const error = await events.put(EVENT).catch((error: unknown) => error);

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, code: 'some-code', detail: 'No.', errors: problem.errors, hint: 'swapped?', problem });
    expect(sent).toHaveLength(1);
  });

  it('that is not JSON is described as well as possible', async () => {
    const { coverage } = await client([
      (_request, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway'),
    ]);

    await expect(coverage.nodes.read(NODE_ID)).rejects.toMatchObject({ status: 502, code: undefined, message: '502: Bad Gateway' });
  });

  it('is also reported for a redirect, which is not followed', async () => {
    const { coverage } = await client([(_request, response) => response.writeHead(301, { location: 'https://elsewhere.example/' }).end()]);

    await expect(coverage.nodes.create(NEW_NODE)).rejects.toMatchObject({
      status: 301,
      message: expect.stringContaining('https://elsewhere.example/'),
    });
    expect(sent).toHaveLength(1);
  });
});

describe('a lost connection', () => {
  it.each<[string, Step]>([
    ['before the response', hangUp],
    ['in the middle of the response', breakOff],
  ])('%s is retried if that is safe', async (_when, loss) => {
    const { coverage } = await client([loss, json(200, [NODE])]);

    expect((await coverage.nodes.list()).items).toEqual([NODE]);
    expect(sent).toHaveLength(2);
  });

  it('is retried when recording an event', async () => {
    const { events } = await client([hangUp, hangUp, json(200, { event_id: 'e-1' })]);

    expect(await events.put(EVENT)).toEqual({ event_id: 'e-1' });
    expect(tokens).toBe(3);
  });

  it.each<[string, (client: FibreClient) => PromiseLike<unknown>]>([
    ['creation', ({ coverage }) => coverage.nodes.create(NEW_NODE)],
    ['update', ({ coverage }) => coverage.nodes.update(NODE_ID, { token: 'operation' })],
    ['update of several nodes', ({ coverage }) => coverage.nodes.updateMany([NODE_ID], { token: 'operation' })],
    ['deletion by id', ({ coverage }) => coverage.nodes.delete(NODE_ID)],
    ['merge', ({ coverage }) => coverage.nodes.merge(NODE_ID)],
  ])('ends a %s, whose outcome is then unknown', async (_operation, call) => {
    const error = await Promise.resolve(call(await client([hangUp]))).catch((error: unknown) => error);

    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).cause).toMatchObject({ name: 'TypeError' });
    expect(sent).toHaveLength(1);
  });

  it('to a port that nobody listens on is reported with the reason', async () => {
    const { coverage } = await client([hangUp], { retries: 0 });
    await server.close();

    await expect(coverage.nodes.read(NODE_ID)).rejects.toThrow('ECONNREFUSED');
    server = await scriptedServer(hangUp);
  });
});

describe('the wait for a response', () => {
  it('is limited for each attempt', async () => {
    const { coverage } = await client([() => undefined], { timeoutMs: 50, retries: 1 });

    await expect(coverage.nodes.read(NODE_ID)).rejects.toThrow(TimeoutError);
    expect(sent).toHaveLength(2);
    await expect(coverage.nodes.create(NEW_NODE)).rejects.toThrow('did not respond within 0.05 s');
    expect(sent).toHaveLength(3);
  });

  it('ends when the caller aborts, and the service notices', async () => {
    const arrival = new EventEmitter();
    const arrived = once(arrival, 'request') as Promise<[ServerResponse]>;
    const { coverage } = await client([(_request, response) => arrival.emit('request', response)]);
    const controller = new AbortController();
    const reading = coverage.nodes.read(NODE_ID, { signal: controller.signal }).catch((error: unknown) => error);
    const [response] = await arrived;
    const closed = once(response, 'close');
    controller.abort();

    expect(await reading).toBeInstanceOf(AbortedError);
    await closed;
    expect(sent).toHaveLength(1);
  });

  it('does not begin for a call that has already been aborted', async () => {
    const { coverage } = await client([json(200, NODE)]);

    await expect(coverage.nodes.read(NODE_ID, { signal: AbortSignal.abort() })).rejects.toThrow(AbortedError);
    expect(sent).toHaveLength(0);
  });
});

describe('a rejected token', () => {
  it('is replaced once, even if retries are disabled', async () => {
    const refused: unknown[] = [];
    const token = (one?: string) => {
      refused.push(one);
      return `token-${++tokens}`;
    };
    const { coverage } = await client([json(401, {}), json(201, NODE), json(401, { code: 'token-invalid' })], { token, retries: 0 });

    expect(await coverage.nodes.create(NEW_NODE)).toEqual(NODE);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
    await expect(coverage.nodes.create(NEW_NODE)).rejects.toMatchObject({ status: 401, code: 'token-invalid' });
    expect(sent).toHaveLength(4);
    expect(refused).toEqual([undefined, 'token-1', undefined, 'token-3']);
  });

  it('ends the call if there is no other token or the body cannot be sent again', async () => {
    const { coverage } = await client([json(401, {})], { token: () => 'token' });
    await expect(coverage.nodes.read(NODE_ID)).rejects.toMatchObject({ status: 401 });
    expect(sent).toHaveLength(1);

    await server.close();
    const { coverage: other } = await client([json(401, {})]);
    await expect(other.nodes.import(new Blob(['a']).stream(), {}, { format: 'csv' })).rejects.toMatchObject({ status: 401 });
    expect(sent).toHaveLength(2);
  });
});

describe('a missing token', () => {
  it('rejects the call and gives the reason', async () => {
    const { coverage } = await client([json(200, NODE)], { token: () => Promise.reject(new Error('signed out')) });

    await expect(coverage.nodes.read(NODE_ID)).rejects.toMatchObject({ name: 'TokenError', message: 'No access token: signed out' });
    expect(sent).toHaveLength(0);
  });

  it('is requested again after a network error, for every operation', async () => {
    const { coverage } = await client([json(201, NODE)], {
      token: () => (++tokens === 1 ? Promise.reject(new ConnectionError('the issuer is down')) : Promise.resolve('token')),
    });

    expect(await coverage.nodes.create(NEW_NODE)).toEqual(NODE);
    expect(tokens).toBe(2);
  });
});

async function text(request: AsyncIterable<Buffer>): Promise<string> {
  let all = '';
  for await (const chunk of request) all += chunk.toString();
  return all;
}
