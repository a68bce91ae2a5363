import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, createServer, type IncomingHttpHeaders, request, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientCredentials } from '@fibre/client';
import { freePort, isReady, Program } from '@fibre/testing/processes';
import { columns } from '../columns.js';
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { COVERAGE_PORT, EVENT_PORT, HOST, ISSUER_PORT, WORKSPACE } from '../workspace.js';

/**
 * `npm run proxies`: puts each proxy of docs/operations.md in front of the services that `npm start` runs, with the configuration that the
 * page names, and checks what a proxy must let through. Needs Debian's packages apache2-bin, caddy, haproxy and nginx-light.
 */
interface Proxy {
  readonly name: string;
  readonly version: string;
  /** The file in the repository. */
  readonly file: string;
  /** The whole configuration, made from the file. */
  readonly configuration: (file: string, folder: string) => string;
  readonly command: (configuration: string) => readonly string[];
  /** Whether it sends the whole body before it reads the response. */
  readonly isPatient?: boolean;
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    version: 'nginx -v 2>&1',
    file: 'docker/nginx.conf',
    configuration: (file, folder) =>
      `daemon off; pid ${folder}/pid; events {} http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')} ${file} }`,
    command: (configuration) => ['nginx', '-c', configuration, '-e', 'stderr'],
  },
  {
    name: 'HAProxy',
    version: 'haproxy -v',
    file: 'docs/proxies/haproxy.cfg',
    configuration: (file) => file,
    command: (configuration) => ['haproxy', '-db', '-f', configuration],
  },
  {
    name: 'Caddy',
    version: 'caddy version',
    file: 'deploy/one-machine/apis.caddy',
    configuration: (file) => `{\n\tadmin off\n\tauto_https off\n}\n:8080 {\n${file}\n}`,
    command: (configuration) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', configuration],
  },
  {
    name: 'Apache httpd',
    version: 'apache2 -v',
    file: 'docs/proxies/httpd.conf',
    configuration: (file, folder) =>
      [
        ...['mpm_event', 'authz_core', 'headers', 'proxy', 'proxy_http', 'reqtimeout'].map(
          (module) => `LoadModule ${module}_module /usr/lib/apache2/modules/mod_${module}.so`,
        ),
        `ServerRoot ${folder}`,
        `PidFile ${folder}/pid`,
        'ServerName localhost',
        `ErrorLog ${folder}/log`,
        `Listen ${HOST}:8080`,
        file,
      ].join('\n'),
    command: (configuration) => ['apache2', '-DFOREGROUND', '-f', configuration],
    isPatient: true,
  },
];

/** The host for which docker/nginx.conf routes the coverage API. */
const NAME = 'coverage.localhost';
const ROWS = 16_000;
/** What the check of early answers returns for a proxy that sends the whole file first. */
const LATER = 'after the file';
/** Longer than the time-out of a proxy that has not been told otherwise. */
const SLOW_MS = 65_000;

/** Debian's servers are in /usr/sbin; Caddy warns without a home. */
const ENV = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: tmpdir() };

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
type Send = (path: string, options?: RequestOptions & { body?: string | ((sent: ClientRequest) => void) }) => Promise<Response>;

const { id, secret } = demoClient('ano-other');
const token = clientCredentials({ issuer: `http://${HOST}:${ISSUER_PORT}`, clientId: id, clientSecret: secret });

/** Sends requests with exactly the given path. */
const sender =
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

/** A proxy that passes requests on to services on these ports. */
async function start({ name, file, configuration, command }: Proxy, coverage: number, events: number): Promise<Program & { port: number }> {
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'proxy-'))];
  const source = readFileSync(join(WORKSPACE, file), 'utf8')
    .replaceAll(/coverage-service:8080|127\.0\.0\.1:3001/g, `${HOST}:${coverage}`)
    .replaceAll(/event-service:8080|127\.0\.0\.1:3002/g, `${HOST}:${events}`);
  const path = join(folder, 'configuration');
  writeFileSync(path, configuration(source, folder).replaceAll('8080', String(port)));
  const [program, ...args] = command(path);
  const proxy = new Program({ name, command: program, args, env: ENV, readyUrl: '' });
  void proxy.gone.then((reason) => {
    rmSync(folder, { recursive: true });
    if (!stopping) console.error([`${name} ${reason}`, ...proxy.lines.slice(-20)].join('\n'));
  });
  const answers = (): Promise<boolean> =>
    fetch(`http://${HOST}:${port}/`).then(
      (response) => response.status === 404,
      () => false,
    );
  for (let tries = 0; tries < 100 && !proxy.hasEnded && !(await answers()); tries++) await sleep(100);
  return Object.assign(proxy, { port });
}
let stopping = false;

// A character that takes four bytes, and twelve in a URL.
const long = (length: number): string => '𠮷'.repeat(length);
const filters = { technology: long(64), address_id: long(64), customer_reference: long(255) };
const relation_id = randomUUID();
const row = (n: number): string =>
  `planned,"48.2, 16.3",${String(n).padStart(5, '0')}${long(59)},${String(n).padStart(5, '0')}${long(250)}\n`;
const file = `token,center,lot_id,customer_reference\n${Array.from({ length: ROWS }, (_, n) => row(n)).join('')}`;
const CSV = { 'content-type': 'text/csv' };
const IMPORT = `/v2/cov/nodes/import?target=prenodes&relation_id=${relation_id}`;
const EXPORT = `/v2/cov/nodes/export?format=csv&target=prenodes&relation_id=${relation_id}`;

/** What a proxy must let through; each check returns what it expects, or what came instead. */
const CHECKS: Readonly<Record<string, (send: Send, direct: Send) => Promise<string>>> = {
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

const direct = sender(COVERAGE_PORT);
if (!(await isReady(`http://${HOST}:${COVERAGE_PORT}/health/ready`))) throw new Error('first run npm start in another terminal');
for (const id of [randomUUID(), relation_id]) {
  const body = JSON.stringify({ relation_id: id, token: 'planned', center: '48.2, 16.3', ...filters });
  await direct('/v2/cov/nodes/?target=prenodes', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
console.log(`a file of ${Buffer.byteLength(file)} bytes`);

const slow = createServer((_, response) => setTimeout(() => response.end('slow'), SLOW_MS)).listen(0, HOST);
await once(slow, 'listening');
const { port: slowPort } = slow.address() as AddressInfo;
const started: Program[] = [];
try {
  const run = async (proxy: Proxy, ...ports: [number, number]): Promise<Send> => {
    const program = await start(proxy, ...ports);
    started.push(program);
    return sender(program.port);
  };
  const late = PROXIES.map(async (proxy) => (await (await run(proxy, slowPort, slowPort))('/v2/cov/nodes/')).body === 'slow');
  const sends: Send[] = [];
  for (const proxy of PROXIES) sends.push(await run(proxy, COVERAGE_PORT, EVENT_PORT));

  const versions = PROXIES.map(
    ({ version }) => /\d+\.\d+\.\d+/.exec(execFileSync('sh', ['-c', version], { encoding: 'utf8', env: ENV }))![0],
  );
  const rows: string[][] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const results: string[] = [];
    for (const send of sends) results.push(await check(send, direct).catch((error: Error) => error.message));
    rows.push([name, ...results]);
  }
  rows.push([`an answer after ${SLOW_MS / 1_000} s`, ...(await Promise.all(late)).map((isRight) => (isRight ? 'ok' : 'an error'))]);
  console.log(columns([['', ...PROXIES.map(({ name }) => name)], ['version', ...versions], ...rows], ''));
  const isExpected = (cell: string, proxy: Proxy): boolean => cell === 'ok' || (cell === LATER && proxy.isPatient === true);
  if (rows.some(([, ...cells]) => cells.some((cell, n) => !isExpected(cell, PROXIES[n]!)))) process.exitCode = 1;
} finally {
  stopping = true;
  await direct(`/v2/cov/nodes/?relation_id=${relation_id}&target=prenodes`, { method: 'DELETE' });
  await Promise.all(started.map((program) => program.stop()));
  slow.close();
  slow.closeAllConnections();
}
