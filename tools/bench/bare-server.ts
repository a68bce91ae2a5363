import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/** Answers by method and path, like `GET /v2/cov/nodes`, or `GET /v2/cov/nodes/*` for all that lies below it: the same statements as the service and nothing else. */
export type BareRoutes = Record<string, (pool: pg.Pool, url: URL, body: string) => Promise<BareAnswer>>;

export interface BareAnswer {
  status: number;
  json: string;
}

/** The floor of what can be had: `node:http` and the statements, without token, validation, log or metrics. */
const routes = ((await import(process.env.BENCH_BARE_MODULE!)) as { default: BareRoutes }).default;
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
  idleTimeoutMillis: 30_000,
  options: '-c timezone=UTC',
});

/** By events, which take less time than iterating. */
const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => (text += chunk))
      .on('end', () => resolve(text))
      .on('error', reject);
  });

const server = createServer((request, response) => {
  const url = new URL(request.url!, 'http://localhost');
  const [named, below] = [url.pathname, url.pathname.replace(/[^/]+$/, '*')].map((path) => routes[`${request.method} ${path}`]);
  const route = (named ?? below)!;
  const answer = request.method === 'GET' ? route(pool, url, '') : bodyOf(request).then((body) => route(pool, url, body));
  answer.then(
    ({ status, json }) =>
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }).end(json),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
