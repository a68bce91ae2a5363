import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { clientCredentials, FibreClient, type NewEvent } from '@fibre/client';
import { columns } from '../columns.js';
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { COVERAGE_PORT, EVENT_PORT, HOST, ISSUER_PORT } from '../workspace.js';
import { KINDS } from './kinds.js';
import { Receiver } from './receiver.js';

/**
 * `npm run receivers`: starts the receivers in docs/receivers, and checks that each gets every event once, on the services that `npm start`
 * runs. Needs npm, Python 3, Go, Java 17 and Maven. The packages in the first line of a receiver are installed into a temporary folder.
 */
const { values } = parseArgs({ options: { events: { type: 'string', default: '10000' } } });
const EVENTS = Number(values.events);
/** Until every event has arrived. */
const PATIENCE_MS = 900_000;

/** A notification with 1 to 4 kB of user attributes, not all of them ASCII. */
const event = (_: unknown, n: number): NewEvent => ({
  entity_id: randomUUID(),
  event_type: 'notification',
  event_at: '2026-01-15T12:00:00+01:00',
  usr_attributes: { n, name: 'Straße 光 😀', blob: 'ä"\\'.repeat(200 + (n % 551)) },
});

const { id, secret } = demoClient('ano-other');
const client = new FibreClient({
  coverageUrl: `http://${HOST}:${COVERAGE_PORT}`,
  eventsUrl: `http://${HOST}:${EVENT_PORT}`,
  token: clientCredentials({ issuer: `http://${HOST}:${ISSUER_PORT}`, clientId: id, clientSecret: secret }),
});

// Before any request, because the installations block this process, and its connections would time out.
const receivers = KINDS.map((kind) => new Receiver(kind));
const since = new Date().toISOString();
const ids = new Set<string>();
for await (const put of client.events.putAll(Array.from({ length: EVENTS }, event))) {
  if (put.outcome !== 'recorded') throw put.outcome === 'refused' ? put.error : new Error(put.outcome);
  ids.add(put.event!.event_id);
}
console.log(`${ids.size} events recorded`);

const missing = ({ seen }: Receiver): number => [...ids].filter((one) => !seen.has(one)).length;
try {
  for (const receiver of receivers) await receiver.start(client, since);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && receivers.some(missing); await sleep(500))
    for (const { webhookId, answers } of receivers) {
      const { last_status } = await client.events.webhooks.read(webhookId);
      if (last_status) answers.add(String(last_status));
    }
  const rows = [['receiver', 'runs on', 'events', 'missing', 'repeated', 'others', 'statuses', 'repeat, forged, old']];
  for (const receiver of receivers) {
    const { kind, version, seen, answers } = receiver;
    const faults = await receiver.faults();
    const others = [...seen.keys()].filter((one) => !ids.has(one)).length;
    const counts = [missing(receiver), [...seen.values()].filter((times) => times > 1).length, others];
    if (counts.some(Boolean) || faults.length > 0) {
      process.exitCode = 1;
      console.error([`${kind.name} printed last:`, ...receiver.lastLines].join('\n  '));
    }
    rows.push([kind.name, version, String(ids.size), ...counts.map(String), [...answers].join(' '), faults.join('; ') || 'ok']);
  }
  console.log(columns(rows, ''));
} finally {
  await Promise.all(receivers.filter(({ webhookId }) => webhookId).map((receiver) => receiver.stop(client)));
}
