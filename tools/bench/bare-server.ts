import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { BareHandlers } from './scenario.js';

/**
 * The floor of what can be had: `node:http` and the statement, without token, validation, log or metrics.
 * Which scenario it answers comes as a message, so that a request looks the same to both sides.
 */
const handlers = ((await import(process.env.BENCH_BARE_MODULE!)) as { default: BareHandlers }).default;
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
  idleTimeoutMillis: 30_000,
  options: '-c timezone=UTC',
});
let answer = Object.values(handlers)[0]!;

const server = createServer((request, response) => {
  answer(pool, new URL(request.url!, 'http://localhost')).then(
    (json) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }).end(json),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
process.on('message', (scenario: string) => {
  answer = handlers[scenario]!;
  process.send!('ready');
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
