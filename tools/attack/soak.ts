import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FibreClient } from '@fibre/client';
import type { ServiceProcess, TestIssuer } from '@fibre/testing/processes';
import { onStage, prepareDatabase } from '../bench/setup/database.js';
import { eventsDataset } from '../bench/setup/events.js';
import { nodesDataset, TENANTS } from '../bench/setup/nodes.js';
import { say } from '../bench/setup/report.js';
import { megabytesOf, newToken, SERVICES } from '../bench/setup/service.js';
import { CopiedFeed, EVENTS, NODES } from '../history/feed.js';
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
const sizeOf = (service: ServiceProcess): { megabytes: number; files: number } => ({
  megabytes: megabytesOf(service),
  files: readdirSync(`/proc/${service.pid}/fd`).length,
});

async function soak(services: readonly [ServiceProcess, ServiceProcess], issuer: TestIssuer, receiver: string): Promise<string[]> {
  const token = await newToken(issuer, TENANTS[1], SCOPES);
  const [coverageUrl, eventsUrl] = services.map(({ url }) => url) as [string, string];
  const client = new FibreClient({ coverageUrl, eventsUrl, token: () => Promise.resolve(token) });
  const feeds = [new CopiedFeed(NODES, coverageUrl, token), new CopiedFeed(EVENTS, eventsUrl, token)];
  await client.coverage.webhooks.create({ url: receiver, feed: 'nodes' });
  await client.events.webhooks.create({ url: receiver, feed: 'events' });
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
  for (const [index, { name }] of services.entries())
    for (const what of ['megabytes', 'files'] as const)
      if (last[index]![what] > third[index]![what] + LIMITS[what])
        faults.push(`${name}: ${what} ${third[index]![what].toFixed()} -> ${last[index]![what].toFixed()}`);
  for (const feed of feeds) faults.push(...(await feed.differences()).map((id) => `the copy of a feed differs: ${id}`));
  faults.push(...(await keptBy(services)).map((line) => `not given back: ${line}`));
  for (const webhooks of [client.coverage.webhooks, client.events.webhooks])
    for await (const webhook of webhooks.list())
      if (!(Date.now() - Date.parse(webhook.delivered_until) < LIMITS.webhookLagMs))
        faults.push(`a webhook is behind: ${JSON.stringify(webhook)}`);
  return faults;
}

const receivers = await startReceivers();
await onStage(SERVICES, async ({ issuer, postgres, start }) => {
  const nodes = await prepareDatabase(postgres, nodesDataset(20_000));
  const events = await prepareDatabase(postgres, eventsDataset(20_000, 200));
  const services = [
    await start('coverage-service', nodes, [], receivers.settings),
    await start('event-service', events, [], receivers.settings),
  ] as const;
  say('minute | requests | failed | p50 / p99 | slowest probe | coverage-service: memory | files | event-service: memory | files');
  const faults = await soak(services, issuer, receivers.accepting);
  for (const fault of faults.slice(0, 50)) say(`- ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
});
receivers.close();
