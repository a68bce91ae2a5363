import { randomUUID } from 'node:crypto';
import { type ClientRequest, type IncomingHttpHeaders, request, type RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientCredentials } from '@fibre/client';
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { HOST, ISSUER_PORT } from '../workspace.js';

/** The host for which docker/nginx.conf routes the coverage API. */
const NAME = 'coverage.localhost';
const ROWS = 16_000;
/** What the check of early answers returns for a proxy that sends the whole file first. */
export const LATER = 'after the file';
interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
export type Send = (path: string, options?: RequestOptions & { body?: string | ((sent: ClientRequest) => void) }) => Promise<Response>;

const { id, secret } = demoClient('ano-other');
const token = clientCredentials({ issuer: `http://${HOST}:${ISSUER_PORT}`, clientId: id, clientSecret: secret });

/** Sends requests with exactly the given path. */
export const sender =
  (port: number): Send =>
  async (path, { body, headers, ...options } = {}) => {
    const authorization = `Bearer ${await token()}`;
    return new Promise((resolve, reject) => {
      const all = { host: `${NAME}:${port}`, authorization, ...(headers as Record<string, string>) };
      const sent = request({ host: HOST, port, path, agent: false, headers: all, ...options }, (response) => {
        const { statusCode: status = 0, headers } = response;
        text(response).then((body) => resolve({ status, headers, body }), reject);
      });
      sent.on('error', reject);
      if (typeof body === 'function') body(sent);
      else sent.end(body);
    });
  };

// A character that takes four bytes, and twelve in a URL.
const long = (length: number): string => '𠮷'.repeat(length);
export const filters = { technology: long(64), address_id: long(64), customer_reference: long(255) };
export const relation_id = randomUUID();
const row = (n: number): string =>
  `planned,"48.2, 16.3",${String(n).padStart(5, '0')}${long(59)},${String(n).padStart(5, '0')}${long(250)}\n`;
export const file = `token,center,lot_id,customer_reference\n${Array.from({ length: ROWS }, (_, n) => row(n)).join('')}`;
const CSV = { 'content-type': 'text/csv' };
const IMPORT = `/v2/cov/nodes/import?target=prenodes&relation_id=${relation_id}`;
const EXPORT = `/v2/cov/nodes/export?format=csv&target=prenodes&relation_id=${relation_id}`;

/** What a proxy must let through; each check returns what it expects, or what came instead. */
export const CHECKS: Readonly<Record<string, (send: Send, direct: Send) => Promise<string>>> = {
  'an id with a slash': async (send) => {
    const { status, body } = await send('/v2/cov/search/addresses/A%2FB/');
    return status === 200 && body === '[]' ? 'ok' : `${status}`;
  },
  'nothing but the APIs': async (send) => {
    const paths = [
      '/',
      '/metrics',
      '/health/ready',
      '/v2/cov/../../metrics',
      '/v2/cov/..%2f..%2fmetrics',
      '/v2/cov/%2e%2e/%2e%2e/metrics',
      '/v2/covx',
    ];
    const answers = await Promise.all(paths.map(async (path) => ({ path, ...(await send(path)) })));
    const wrong = answers.filter(({ status }) => status !== 404 && status !== 400);
    return wrong.map(({ path, status }) => `${path} ${status}`).join(' ') || 'ok';
  },
  'the longest filters': async (send) => {
    const { status, headers } = await send(
      `/v2/cov/nodes/?${new URLSearchParams({ ...filters, target: 'prenodes', _page_size: '1' }).toString()}`,
    );
    const next = /<([^>]+)>; rel=next/.exec(String(headers.link))?.[1];
    if (!next) return `${status}`;
    const { status: then } = await send(next.slice(new URL(next).origin.length));
    return new URL(next).hostname === NAME && then === 200 ? 'ok' : `${next.slice(0, 60)} ${then}`;
  },
  '401 before the file': async (send) => {
    const headers = { ...CSV, authorization: 'Bearer wrong', 'content-length': String(Buffer.byteLength(file)) };
    const begin = (sent: ClientRequest): void => void sent.write(file.slice(0, 100_000));
    const answer = send(IMPORT, { method: 'POST', headers, body: begin }).then(
      ({ status, body }) => (status === 401 && body.includes('"code"') ? 'ok' : `${status}`),
      (error: Error) => error.message,
    );
    return Promise.race([answer, sleep(10_000, LATER, { ref: false })]);
  },
  'import of 20 MB': async (send) => {
    const stream = (sent: ClientRequest): void => void Readable.from([file.slice(0, 1_000_000), file.slice(1_000_000)]).pipe(sent);
    const { status, body } = await send(IMPORT, { method: 'POST', headers: { ...CSV, 'transfer-encoding': 'chunked' }, body: stream });
    return status === 200 && (JSON.parse(body) as { rows: number }).rows === ROWS ? 'ok' : `${status} ${body.slice(0, 80)}`;
  },
  export: async (send, direct) => {
    const [through, whole] = [await send(EXPORT), await direct(EXPORT)];
    return through.status === 200 && through.body === whole.body && whole.body.length > ROWS * 255
      ? 'ok'
      : `${through.status} ${through.body.length}`;
  },
};
