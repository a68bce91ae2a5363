import type { TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import {
  activation,
  deactivation,
  newEntity,
  notification,
  READ_WRITE,
  startEvents,
  update,
  wrongHeads,
  wrongRecords,
  wrongStates,
} from '../events/events.js';
import { isLegalLife } from './oracle.js';
import { type Replica, startReplica } from './replicas.js';
import { type Answer, clientOf } from './traffic.js';

/** How many requests are sent at once. */
const [IDENTICAL, CONFLICTING, OVERWRITING] = volume([100, 40, 60], [1_000, 200, 300]);
const STEPS = volume(10, 40);

interface ListedEvent {
  readonly event_id: string;
  readonly event_type: string;
  readonly event_at: string;
  readonly comment?: string;
}

let service: TestService;
let replica: Replica;
let clients: ReturnType<typeof clientOf>[];

beforeAll(async () => {
  ({ service } = await startEvents());
  replica = await startReplica(service);
  const token = await service.issuer.token({ ...READ_WRITE, claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } });
  clients = [service.url, replica.url].map((url) => clientOf(url, token));
});
afterAll(async () => {
  const { databaseUrl } = service;
  expect([await wrongHeads(databaseUrl), await wrongStates(databaseUrl), await wrongRecords(databaseUrl)]).toEqual([[], [], []]);
  await replica.close();
  await service.close();
});

/** Sends all requests at once, alternating between the replicas. */
const atOnce = (bodies: Record<string, unknown>[]): Promise<Answer[]> =>
  Promise.all(bodies.map((body, index) => clients[index % 2]!.put(body)));

function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = [status, (body as { code?: string }).code].filter(Boolean).join(' ');
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const idsOf = (answers: Answer[]): Set<string> => new Set(answers.map(({ body }) => (body as ListedEvent).event_id));
const eventsOf = async (entity: string): Promise<ListedEvent[]> =>
  (await clients[0]!.get(`?entity_id=${entity}&_page_size=2000`)).body as ListedEvent[];

test('identical concurrent requests create one event: one 201, the rest 200', async () => {
  for (const make of [activation, notification]) {
    const entity = newEntity();
    const answers = await atOnce(Array.from({ length: IDENTICAL }, () => make(entity, 1, { comment: 'same' })));
    expect(tally(answers)).toEqual({ 200: IDENTICAL - 1, 201: 1 });
    expect(idsOf(answers).size).toBe(1);
    expect(await eventsOf(entity)).toHaveLength(1);
  }
});

test('conflicting activations of one entity get exactly one 201', async () => {
  const atOneInstant = newEntity();
  const taken = await atOnce(
    Array.from({ length: CONFLICTING }, (_, index) =>
      activation(atOneInstant, 1, { sys_attributes: { partner_id: newEntity(), article_codes: [`${index}`] } }),
    ),
  );
  expect(tally(taken)).toEqual({ 201: 1, '409 event-time-taken': CONFLICTING - 1 });

  const atMany = newEntity();
  const ordered = await atOnce(
    Array.from({ length: CONFLICTING }, (_, index) =>
      activation(atMany, 1, { event_at: `2026-01-01T12:00:00.${String(index).padStart(3, '0')}+01:00` }),
    ),
  );
  expect(tally(ordered)).toEqual({ 201: 1, '409 event-order': CONFLICTING - 1 });
  expect([await eventsOf(atOneInstant), await eventsOf(atMany)].map((events) => events.length)).toEqual([1, 1]);
});

test('conflicting deactivations of an active entity get exactly one 201', async () => {
  const entity = newEntity();
  await clients[0]!.put(activation(entity, 1));
  const ends = Array.from({ length: CONFLICTING }, (_, index) => ({
    event_at: `2026-01-02T12:00:00.${String(index).padStart(3, '0')}+01:00`,
  }));
  expect(tally(await atOnce(ends.map((at) => deactivation(entity, 2, at))))).toEqual({ 201: 1, '409 event-order': CONFLICTING - 1 });
  expect(await eventsOf(entity)).toHaveLength(2);
});

test('concurrent requests that overwrite an event: the last 201 wins, and every response is consistent', async () => {
  const entity = newEntity();
  const first = await clients[0]!.put(activation(entity, 1, { comment: 'v0' }));
  const answers = await atOnce(Array.from({ length: OVERWRITING }, (_, index) => activation(entity, 1, { comment: `v${index % 3}` })));
  expect(Object.keys(tally(answers)).every((status) => status === '200' || status === '201')).toBe(true);
  expect(idsOf([first, ...answers]).size).toBe(1);
  for (const [index, { body }] of answers.entries()) expect((body as ListedEvent).comment).toBe(`v${index % 3}`);
  const overwrites = answers.filter(({ status }) => status === 201).map(({ body }) => body as ListedEvent & { modified_at: string });
  // Each overwrite increases modified_at, which therefore shows their order; a read returns the last one.
  const times = overwrites.map(({ modified_at }) => modified_at).sort();
  expect(new Set(times).size).toBe(times.length);
  const [event] = await eventsOf(entity);
  expect(event).toEqual(overwrites.find(({ modified_at }) => modified_at === times.at(-1)) ?? (first.body as ListedEvent));
});

test('mixed traffic from 64 clients leaves only valid timelines, and no request fails', async () => {
  const entities = Array.from({ length: 8 }, newEntity);
  const acknowledged = new Map<string, string>();
  const statuses: Answer[] = [];
  const makers = [activation, activation, update, update, deactivation, notification];
  await Promise.all(
    Array.from({ length: 64 }, async (_, number) => {
      // Deterministic, with a different sequence for each client.
      let state = number + 1;
      const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
      for (let step = 0; step < STEPS; step++) {
        const entity = entities[random(entities.length)]!;
        const body = makers[random(makers.length)]!(entity, 1 + random(28), random(3) === 0 ? { comment: `c${random(3)}` } : {});
        const answer = await clients[random(2)]!.put(body);
        statuses.push(answer);
        if (answer.status < 300) acknowledged.set((answer.body as ListedEvent).event_id, entity);
      }
    }),
  );
  const counts = tally(statuses);
  expect(Object.keys(counts).sort()).toEqual(['200', '201', '409 event-order', '409 event-time-taken']);
  const stored = new Set<string>();
  for (const entity of entities) {
    const events = await eventsOf(entity);
    expect(isLegalLife(events.map(({ event_type: type, event_at: at }) => ({ type, at })))).toBe(true);
    for (const { event_id } of events) stored.add(event_id);
  }
  expect([...acknowledged.keys()].filter((id) => !stored.has(id))).toEqual([]);
  expect(stored.size).toBe(acknowledged.size);
});
