import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { columns } from '../columns.js';
import { COVERAGE_PORT, EVENT_PORT, HOST } from '../workspace.js';
import { CHECKS, file, filters, LATER, relation_id, type Send, sender } from './checks.js';
import { ENV, type Proxy, PROXIES, RunningProxies } from './proxies.js';

/**
 * `npm run proxies`: puts each proxy of docs/operations.md in front of the services that `npm start` runs, with the configuration that the
 * page names, and checks what a proxy must let through. Needs Debian's packages apache2-bin, caddy, haproxy and nginx-light.
 */

/** Longer than the time-out of a proxy that has not been told otherwise. */
const SLOW_MS = 65_000;

const direct = sender(COVERAGE_PORT);
for (const id of [randomUUID(), relation_id]) {
  const body = JSON.stringify({ relation_id: id, token: 'planned', center: '48.2, 16.3', ...filters });
  await direct('/v2/cov/nodes/?target=prenodes', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
console.log(`a file of ${Buffer.byteLength(file)} bytes`);

const slow = createServer((_, response) => setTimeout(() => response.end('slow'), SLOW_MS)).listen(0, HOST);
await once(slow, 'listening');
const { port: slowPort } = slow.address() as AddressInfo;
const proxies = new RunningProxies();
try {
  const run = async (proxy: Proxy, coverage: number, events: number): Promise<Send> => sender(await proxies.start(proxy, coverage, events));
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
  await direct(`/v2/cov/nodes/?relation_id=${relation_id}&target=prenodes`, { method: 'DELETE' });
  await proxies.stop();
  slow.close();
  slow.closeAllConnections();
}
