import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  cloneDatabase,
  type ClonedDatabase,
  loadPerProcessor,
  type ServiceProcess,
  startServiceProcess,
  startTestIssuer,
  TEST_AUDIENCE,
  type TestIssuer,
  until,
} from '@fibre/testing';
import { ALL_SCOPES, newNode, NODES } from '../access-nodes/access-nodes.js';

let issuer: TestIssuer;
let database: ClonedDatabase;
let service: ServiceProcess;
let headers: Record<string, string>;

beforeAll(async () => {
  [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
  service = await startServiceProcess('coverage-service', {
    DATABASE_URL: database.url,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    // Time for three requests, even on a busy machine.
    SHUTDOWN_DELAY_SECONDS: String(5 * loadPerProcessor()),
  });
  headers = { authorization: `Bearer ${await issuer.token({ scope: ALL_SCOPES })}`, 'content-type': 'application/json' };
});
afterAll(async () => {
  await service.kill();
  await Promise.all([issuer.close(), database.drop()]);
});

/** Sends one GET over a keep-alive connection. @returns the first chunk of the response */
async function ask(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: test\r\nauthorization: ${headers.authorization!}\r\n\r\n`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

test('a stopping service responds to every request, closes the connections, and then exits', async () => {
  const { hostname, port } = new URL(service.url);
  const kept = connect(Number(port), hostname);
  expect(await ask(kept, NODES)).toMatch(/^HTTP\/1\.1 200 [^]*connection: keep-alive/i);

  // This request starts before the signal and ends after the listener has closed. Its body begins with spaces, which arrive as fast as a body must.
  const node = JSON.stringify(newNode());
  const [piece, pieces] = [' '.repeat(66_000), 15];
  const bytes = node.length + pieces * piece.length;
  const slow = connect(Number(port), hostname);
  slow.write(
    `POST ${NODES} HTTP/1.1\r\nhost: test\r\nauthorization: ${headers.authorization!}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n${piece}`,
  );
  let sent = 1;
  const sending = setInterval(() => sent < pieces && (sent++, slow.write(piece)), 4_000);
  await ask(kept, NODES);
  const ended = service.stop();
  await until('the shutdown', () => service.log().some(({ msg }) => msg === 'SIGTERM: shutting down'));

  expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
  const created = await fetch(`${service.url}${NODES}`, { method: 'POST', headers, body: JSON.stringify(newNode()) });
  expect([created.status, created.headers.get('connection')]).toEqual([201, 'close']);
  const closed = once(kept, 'close');
  expect(await ask(kept, NODES)).toMatch(/^HTTP\/1\.1 200 [^]*connection: close/i);
  await closed;

  await until('the end of the listener', () =>
    fetch(service.url).then(
      () => false,
      () => true,
    ),
  );
  clearInterval(sending);
  slow.write(piece.repeat(pieces - sent) + node);
  expect(String(await once(slow, 'data'))).toMatch(/^HTTP\/1\.1 201 /);
  expect(await ended).toBe(0);
});
