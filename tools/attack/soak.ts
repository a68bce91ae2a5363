import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { prepareDatabase, startDatabaseServer } from '../bench/setup/database.js';
import { eventsDataset } from '../bench/setup/events.js';
import { nodesDataset, TENANTS } from '../bench/setup/nodes.js';
import { say, table } from '../bench/setup/report.js';
import { build, type Issuer, megabytesOf, type Server, startIssuer, startService } from '../bench/setup/service.js';
import { CopiedFeed } from '../history/feed.js';
import { SCOPES } from './attacks.js';
import { startReceivers } from './receivers.js';
import { keptBy, watchVictim } from './watch.js';

/**
 * `npm run soak`: a tenant uses both services for half an hour, with webhooks, while copies follow both change feeds. Prints a row a minute, and
 * exits with 1 if memory or open files have grown, a request failed, a copy or a webhook missed something, or something is not given back.
 * `--minutes <number>` changes the duration, `--times <number>` how many times 42 requests a second are sent.
 */

/** What may be added between the end of the first third and the end: memory of one service, and open files; how far a webhook may be behind. */
const LIMITS = { megabytes: 48, files: 24, webhookLagMs: 60_000 };

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' }, times: { type: 'string', default: '6' } } });
const [minutes, times] = [Number(values.minutes), Number(values.times)];

/** Memory in MB and open files of a service. */
const sizeOf = (server: Server): { megabytes: number; files: number } => ({
  megabytes: megabytesOf(server),
  files: readdirSync(`/proc/${server.program.pid}/fd`).length,
});

async function soak(services: readonly [Server, Server], issuer: Issuer, receiver: string): Promise<string[]> {
  const exp = Math.floor(Date.now() / 1_000) + 60 * (minutes + 30);
  const token = await issuer.token({ tenant: TENANTS[1], scope: SCOPES, claims: { exp } });
  const lists = ['/v2/cov/nodes/', '/api/v2/sys/events/'];
  const hooks = ['/v2/cov/webhooks/', '/api/v2/sys/webhooks/'];
  const feeds = lists.map((list, index) => new CopiedFeed(services[index]!.url, token, list));
  const webhooks: string[] = [];
  for (const [index, path] of hooks.entries()) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ url: receiver, feed: ['nodes', 'events'][index] });
    const created = await fetch(services[index]!.url + path, { method: 'POST', headers, body });
    if (created.status !== 201) throw new Error(await created.text());
    webhooks.push(services[index]!.url + created.headers.get('location')!);
  }
  const sizes: ReturnType<typeof sizeOf>[][] = [];
  const faults: string[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const { requests, failures, p50, p99, slowestProbe } = await watchVictim(services, issuer, 60, times);
    sizes.push(services.map(sizeOf));
    const shown = sizes.at(-1)!.flatMap(({ megabytes, files }) => [`${megabytes.toFixed()} MB`, String(files)]);
    say(
      [minute, requests, failures.length, `${p50.toFixed()} / ${p99.toFixed()} ms`, `${slowestProbe.toFixed()} ms`, ...shown].join(' | '),
    );
    if (failures.length > 0) faults.push(`minute ${minute}: ${failures.length} x ${[...new Set(failures)].join(', ')}`);
  }
  const [third, last] = [sizes[Math.floor(minutes / 3)]!, sizes.at(-1)!];
  for (const [index, { program }] of services.entries())
    for (const what of ['megabytes', 'files'] as const)
      if (last[index]![what] > third[index]![what] + LIMITS[what])
        faults.push(`${program.name}: ${what} ${third[index]![what].toFixed()} -> ${last[index]![what].toFixed()}`);
  for (const feed of feeds) faults.push(...(await feed.differences()).map((id) => `the copy of a feed differs: ${id}`));
  faults.push(...(await keptBy(services)).map((line) => `not given back: ${line}`));
  for (const url of webhooks) {
    const webhook = (await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).json()) as { delivered_until: string };
    const lag = Date.now() - Date.parse(webhook.delivered_until);
    if (!(lag < LIMITS.webhookLagMs)) faults.push(`a webhook is behind: ${JSON.stringify(webhook)}`);
  }
  return faults;
}

for (const service of ['coverage-service', 'event-service'] as const) await build(service);
const postgres = await startDatabaseServer();
const issuer = await startIssuer();
const receivers = await startReceivers();
const env = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: receivers.certificate };
const nodes = await prepareDatabase(postgres.url, nodesDataset(20_000));
const events = await prepareDatabase(postgres.url, eventsDataset(20_000, 200));
const services = [
  await startService('coverage-service', nodes, issuer.url, [], env),
  await startService('event-service', events, issuer.url, [], env),
] as const;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
try {
  say('minute | requests | failed | p50 / p99 | slowest probe | coverage-service: memory | files | event-service: memory | files');
  const faults = await soak(services, issuer, receivers.accepting);
  if (faults.length > 0) {
    say(
      table(
        ['Fault'],
        faults.slice(0, 50).map((fault) => [fault]),
      ),
    );
    process.exitCode = 1;
  }
} finally {
  await Promise.all(services.map(({ program }) => program.kill()));
  await issuer.close();
  receivers.close();
  await postgres.stop();
}
