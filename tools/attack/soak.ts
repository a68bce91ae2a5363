import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Follower } from '@fibre/testing';
import request from 'supertest';
import { prepareDatabase, startDatabaseServer } from '../bench/setup/database.js';
import { nodesDataset, TENANTS } from '../bench/setup/nodes.js';
import { say, table } from '../bench/setup/report.js';
import { build, type Server, startIssuer, startService } from '../bench/setup/service.js';
import { SCOPES } from './attacks.js';
import { eventsWithLongEntities } from './long-entities.js';
import { ownCertificate } from './receivers.js';
import { keptBy, megabytes, watchVictim } from './watch.js';

/**
 * `npm run soak`: a tenant uses both services for half an hour, with webhooks and readers of the change feeds. Exits with 1 if memory, open
 * files or response times grow, if a request fails, or if something is still in use at the end of a minute. `--minutes` makes it shorter.
 */

/** Multiplies the rate of the attack's second tenant: about 130 requests a second. */
const TIMES = 3;
const WARM_UP_MINUTES = 2;
/** How much the last third of the samples may exceed the first, on average. */
const LIMITS = { megabytes: 32, files: 8, timesP99: 2, floorMs: 100 };
const FEEDS = {
  coverage: ['nodes', '/v2/cov/nodes/', '/v2/cov/webhooks/'],
  events: ['events', '/api/v2/sys/events/', '/api/v2/sys/webhooks/'],
};

interface Sample {
  readonly p99: number;
  readonly megabytes: number;
  readonly files: number;
}

const openFiles = (services: readonly Server[]): number =>
  services.reduce((sum, { program }) => sum + readdirSync(`/proc/${program.pid}/fd`).length, 0);
const mean = (samples: readonly Sample[], which: keyof Sample): number =>
  samples.reduce((sum, sample) => sum + sample[which], 0) / samples.length;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
  for (const service of ['coverage-service', 'event-service'] as const) await build(service);
  const postgres = await startDatabaseServer();
  const { file, cert, key } = await ownCertificate();
  let delivered = 0;
  const receiver = createServer({ cert, key }, (incoming, response) => {
    delivered++;
    incoming.resume().once('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const [nodes, events] = [
    await prepareDatabase(postgres.url, nodesDataset(200_000)),
    await prepareDatabase(postgres.url, eventsWithLongEntities),
  ];
  const issuer = await startIssuer();
  const env = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: file };
  const services = [
    await startService('coverage-service', nodes, issuer.url, [], env),
    await startService('event-service', events, issuer.url, [], env),
  ];
  const over = new AbortController();
  const faults: string[] = [];
  try {
    const token = await issuer.tokenFor(TENANTS[1], SCOPES);
    const following = Object.values(FEEDS).map(async ([feed, list, webhooks], index) => {
      const client = request.agent(services[index]!.url).auth(token, { type: 'bearer' });
      const url = `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      const created = await client.post(webhooks!).send({ url, feed });
      if (created.status !== 201) throw new Error(`no webhook: ${created.text}`);
      const follower = new Follower(client, `${list}changes/?since=${encodeURIComponent(new Date().toISOString())}`);
      while (!over.signal.aborted) {
        await follower.step();
        await sleep(1_000);
      }
      return follower.seen.length;
    });
    const samples: Sample[] = [];
    const rows: string[][] = [];
    await watchVictim(services, issuer, WARM_UP_MINUTES * 60, TIMES);
    for (let minute = 1; minute <= Number(values.minutes); minute++) {
      const { requests, failures, p50, p99 } = await watchVictim(services, issuer, 60, TIMES);
      await sleep(2_000);
      const kept = await keptBy(services);
      samples.push({ p99, megabytes: megabytes(services), files: openFiles(services) });
      const { megabytes: memory, files } = samples.at(-1)!;
      rows.push([String(minute), String(requests), String(failures.length), `${p50.toFixed(0)} / ${p99.toFixed(0)} ms`, `${memory.toFixed(0)} MB`, String(files), String(delivered)]); // prettier-ignore
      say(rows.at(-1)!.join(' | '));
      if (failures.length > 0) faults.push(`minute ${minute}: ${[...new Set(failures)].join(', ')}`);
      if (kept.length > 0) faults.push(`minute ${minute}: not given back: ${kept.join(' ')}`);
    }
    over.abort();
    say(`\n${table(['Minute', 'Requests', 'Failed', 'p50 / p99', 'Memory', 'Open files', 'Webhook batches'], rows)}`);
    say(`\nChanges read from the feeds: ${(await Promise.all(following)).join(' and ')}`);
    const third = Math.ceil(samples.length / 3);
    const [first, last] = [samples.slice(0, third), samples.slice(-third)];
    const growth = (which: keyof Sample): number => mean(last, which) - mean(first, which);
    for (const which of ['megabytes', 'files'] as const)
      if (growth(which) > LIMITS[which]) faults.push(`${which} grew by ${growth(which).toFixed(0)}`);
    if (mean(last, 'p99') > Math.max(LIMITS.floorMs, LIMITS.timesP99 * mean(first, 'p99'))) faults.push('the response times grew');
  } finally {
    over.abort();
    await Promise.all(services.map(({ program }) => program.kill()));
    receiver.close();
    receiver.closeAllConnections();
    await issuer.close();
    await postgres.stop();
  }
  say(faults.length === 0 ? 'Nothing grew, and everything was given back.' : faults.join('\n'));
  if (faults.length > 0) process.exitCode = 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
await main();
