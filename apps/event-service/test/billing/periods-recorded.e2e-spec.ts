import { setTimeout as sleep } from 'node:timers/promises';
import { volume } from '@fibre/testing/volume';
import pg from 'pg';
import type { Statement } from '@fibre/database';
import { NIL as PRODUCTION } from 'uuid';
import { appendEvent } from '../../src/events/event.sql.js';
import { canonicalSysAttributes, hashSysAttributes } from '../../src/event-attributes/sys-attributes.js';
import { shardKeyOf } from '../../src/timeline/event-id.js';
import { Timestamp } from '@fibre/dto';
import { activation, newEntity, PARTNER, startEvents, update } from '../events/events.js';
import { nextOf } from '../service/pages.js';
import { billingOf, SETTLED_SOON, type Step } from './periods.js';

const YEAR = { from: '2026-01-01', to: '2027-01-01' };

let service: Awaited<ReturnType<typeof startEvents>>['service'];

beforeAll(async () => {
  ({ service } = await startEvents(SETTLED_SOON));
});
afterAll(() => service.close());

test('the same recorded_until returns the same bytes while other clients write', async () => {
  const billing = await billingOf(service, 'ano.writers');
  const entities = Array.from({ length: 40 }, newEntity);
  await Promise.all(entities.map((entity) => billing.record(activation(entity, 1))));
  let isWriting = true;
  const writers = entities.slice(0, 8).map(async (entity) => {
    for (let count = 0; isWriting; count++) {
      const event_at = new Date(Date.UTC(2026, 1, 1) + count * 1_000).toISOString();
      await billing.record(
        activation(newEntity(), 2),
        update(entity, 1, { event_at, event_timezone: 'UTC', sys_attributes: { article_codes: [`A${count}`] } }),
      );
      await sleep(volume(20, 0));
    }
  });
  try {
    const recorded_until = await billing.settle();
    const walk = async (): Promise<string[]> => {
      const texts: string[] = [];
      let page = await billing.get('', { ...YEAR, recorded_until, _page_size: 37 });
      for (;;) {
        texts.push(page.text);
        const next = nextOf(page);
        if (next === undefined) return texts;
        page = await billing.client.get(next.replace(service.url, ''));
      }
    };
    const first = await walk();
    const [csv, corrections] = [
      await billing.file({ ...YEAR, recorded_until }),
      await billing.corrections({ ...YEAR, recorded_from: '2026-01-01T00:00:00Z', recorded_until }),
    ];
    const { recordedUntil: later } = await billing.periods(YEAR);
    for (let again = 0; again < 5; again++) {
      await sleep(200);
      expect(await walk()).toEqual(first);
      expect((await billing.file({ ...YEAR, recorded_until })).body).toBe(csv.body);
      expect(await billing.corrections({ ...YEAR, recorded_from: '2026-01-01T00:00:00Z', recorded_until })).toEqual(corrections);
    }
    expect((await billing.periods(YEAR)).recordedUntil > later).toBe(true);
  } finally {
    isWriting = false;
    await Promise.all(writers);
  }
});

const LATE = 'ano.late';

/** The statement that records an activation. */
function appendOf(entityId: string): Statement {
  const sysAttributes = canonicalSysAttributes({ partner_id: PARTNER, article_codes: ['A'] });
  const shardKey = shardKeyOf(entityId);
  return appendEvent(
    { tenant: LATE, namespaceId: PRODUCTION, entityId, shardKey },
    { version: 0, isLast: true },
    {
      type: 'activation',
      at: Timestamp.parse('2026-03-01T00:00:00Z')!,
      timezone: 'UTC',
      sysAttributes,
      sysHash: hashSysAttributes(sysAttributes),
      actor: null,
      user: { usr_reference: null, usr_attributes: null, comment: null },
    },
  );
}

test('no response has a recorded_until that a late commit could change', async () => {
  const billing = await billingOf(service, LATE);
  const [early, late] = [newEntity(), newEntity()];
  await billing.record(activation(early, 1));
  await billing.settle();
  const writer = new pg.Client(service.databaseUrl);
  await writer.connect();
  try {
    const now = new Date();
    const { text, values } = appendOf(late);
    await writer.query('begin');
    await writer.query(text, values);
    // The commit hangs for several times SETTLE_SECONDS while other events are recorded.
    const responses: { recordedUntil: string; text: string; at: number }[] = [];
    const look = async (): Promise<void> => {
      await billing.record(activation(newEntity(), 5));
      const { recordedUntil, response } = await billing.periods(YEAR);
      responses.push({ recordedUntil, text: response.text, at: Date.parse(recordedUntil) });
      await sleep(100);
    };
    for (const end = Date.now() + 6_000; Date.now() < end;) await look();
    expect(responses.filter(({ at }) => at >= now.getTime())).toEqual([]);
    await writer.query('commit');
    for (const end = Date.now() + 2_000; Date.now() < end;) await look();
    await billing.settle();
    for (const { recordedUntil, text: body } of responses)
      expect((await billing.periods({ ...YEAR, recorded_until: recordedUntil })).response.text).toBe(body);
    const { steps } = await billing.periods(YEAR);
    expect(steps.filter(({ entity_id }: Step) => entity_id === late)).toHaveLength(1);
    expect(responses.filter(({ at }) => at >= now.getTime()).length).toBeGreaterThan(0);
  } finally {
    await writer.end();
  }
});
