import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Timestamp } from '@fibre/dto';
import { blockedStatements, type TestService, until } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import pg from 'pg';
import type { Response } from 'supertest';
import { hashSysAttributes } from '../../src/event-attributes/sys-attributes.js';
import type { RequestedEvent } from '../../src/events/event.js';
import { appendEvent } from '../../src/events/event.sql.js';
import { shardKeyOf } from '../../src/timeline/event-id.js';
import type { TimelineKey } from '../../src/timeline/timeline.js';
import { activation, deactivation, newEntity, notification, READ_WRITE, requestsOf, sql, startEvents, update } from '../events/events.js';
import { newName, registryOf } from './isps.js';
import { type Replica, startReplica } from '../order/replicas.js';
import { type Answer, clientOf } from '../order/traffic.js';

const PRODUCTION = '00000000-0000-0000-0000-000000000000';
/** Number of rounds of the race, and the number of activations that race with one deletion in each round. */
const [ROUNDS, ACTIVATIONS] = volume([4, 40], [12, 200]);
/** Number of rounds of the race of one activation with one deletion. */
const PAIRS = volume(20, 120);

let service: TestService;
let client: Awaited<ReturnType<TestService['as']>>;
let isps: ReturnType<typeof registryOf>;
let events: ReturnType<typeof requestsOf>;
let open: Replica;
let recordOpenly: ReturnType<typeof clientOf>;
let other: Replica;
let clients: ReturnType<typeof clientOf>[];

beforeAll(async () => {
  ({ service, client } = await startEvents({ ISPS: 'registered' }));
  [isps, events] = [registryOf(client), requestsOf(client)];
  other = await startReplica(service, { ISPS: 'registered' });
  // A service like those that ran before ISPS=registered was set.
  open = await startReplica(service, { ISPS: 'open' });
  const token = await service.issuer.token({ ...READ_WRITE, claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } });
  clients = [service.url, other.url].map((url) => clientOf(url, token));
  recordOpenly = clientOf(open.url, token);
});
afterAll(async () => {
  await Promise.all([open, other].map((replica) => replica.close()));
  await service.close();
});

const by = (partner_id: string) => ({ sys_attributes: { partner_id, article_codes: ['A'] } });
const register = async (): Promise<string> => (await isps.post()).body.partner_id as string;
const POINTER = '#/sys_attributes/partner_id';

function expectUnregistered({ status, body }: Response | Answer, partnerId: string): void {
  expect([status, body]).toEqual([
    422,
    expect.objectContaining({
      code: 'invalid-request',
      errors: [{ pointer: POINTER, detail: 'is not a registered ISP' }],
      hint: expect.stringContaining(`/api/v2/sys/isps/${partnerId}/`),
    }),
  ]);
}

test('only an activation with an unregistered ISP is rejected', async () => {
  const [entity, partner] = [newEntity(), randomUUID()];
  expectUnregistered(await events.put(activation(entity, 1, by(partner))), partner);
  expect((await events.get(`?entity_id=${entity}`)).text).toBe('[]');
  expect((await events.put(notification(entity, 1, by(partner)))).status).toBe(201);

  expect((await isps.put(partner)).status).toBe(201);
  expect((await events.put(activation(entity, 1, by(partner.toUpperCase())))).status).toBe(201);
  expect((await events.put(activation(entity, 1, by(partner)))).status).toBe(200);
  expect((await events.put(update(entity, 2))).status).toBe(201);
  expect((await events.put(deactivation(entity, 3))).status).toBe(201);
});

test('the ISP must be registered by the same tenant in the same namespace', async () => {
  const partner = await register();
  const inNamespace = { namespace: 'registered' };
  expectUnregistered(await requestsOf(client, inNamespace).put(activation(newEntity(), 1, by(partner))), partner);
  const theirs = await service.as({ ...READ_WRITE, tenant: 'ano.other' });
  expectUnregistered(await requestsOf(theirs).put(activation(newEntity(), 1, by(partner))), partner);
  for (const [as, headers] of [[client, inNamespace] as const, [theirs, {}] as const]) {
    expect((await registryOf(as, headers).put(partner)).status).toBe(201);
    expect((await requestsOf(as, headers).put(activation(newEntity(), 1, by(partner)))).status).toBe(201);
  }
});

test('422 for an unregistered ISP comes before 409 for the order or a taken instant', async () => {
  const [entity, stranger] = [newEntity(), randomUUID()];
  expect((await events.put(activation(entity, 1, by(await register())))).status).toBe(201);
  for (const day of [1, 2]) {
    expectUnregistered(await events.put(activation(entity, day, by(stranger))), stranger);
    expect((await events.put(activation(entity, day, by(await register())))).status).toBe(409);
  }
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1_000).toISOString();
  const early = await events.put(activation(newEntity(), 1, { event_at: tomorrow, event_timezone: 'UTC', ...by(stranger) }));
  expect([early.status, early.body.code]).toEqual([422, 'event-in-future']);
});

test('events recorded with ISPS=open can be repeated and overwritten', async () => {
  const [entity, stranger] = [newEntity(), randomUUID()];
  const body = activation(entity, 1, by(stranger));
  const first = await recordOpenly.put(body);
  expect(first.status).toBe(201);
  expect(await clients[0]!.put(body)).toEqual({ ...first, status: 200 });
  const overwritten = await clients[0]!.put({ ...body, comment: 'corrected' });
  expect([overwritten.status, overwritten.body]).toEqual([201, expect.objectContaining({ comment: 'corrected' })]);
  expect((await clients[0]!.put(update(entity, 2))).status).toBe(201);
  expectUnregistered(await clients[0]!.put(activation(newEntity(), 1, by(stranger))), stranger);
  // If the ISP is registered later, it is in use immediately.
  expect((await isps.put(stranger)).status).toBe(201);
  expect((await isps.remove(stranger)).body.code).toBe('isp-in-use');
});

test('when many activations race with the deletion of their ISP, either all of them are recorded or none', async () => {
  const outcomes = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const partner = await register();
    const activate = (index: number): Promise<Answer> => clients[index % 2]!.put(activation(newEntity(), 1, by(partner)));
    // The delay varies, so that the deletion sometimes runs before and sometimes after some activations.
    const early = Array.from({ length: round % 2 === 0 ? round : 0 }, (_, index) => activate(index));
    const deletion = Promise.resolve(isps.remove(partner));
    if (round % 2 === 1) for (let read = 0; read < round; read++) await clients[0]!.get(`?entity_id=${newEntity()}`);
    const answers = await Promise.all([...early, ...Array.from({ length: ACTIVATIONS - early.length }, (_, index) => activate(index))]);
    const { status } = await deletion;
    outcomes.add(status);
    expect([204, 409]).toContain(status);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status === 204 ? 422 : 201]));
    expect((await isps.get(partner)).status).toBe(status === 204 ? 404 : 200);
    const [{ named }] = (await sql<{ named: number }>(
      service.databaseUrl,
      `select count(*)::int as named from event where sys_attributes->>'partner_id' = $1`,
      [partner],
    )) as [{ named: number }];
    expect(named).toBe(status === 204 ? 0 : ACTIVATIONS);
  }
  console.info(`responses to a deletion among ${ACTIVATIONS} activations: ${[...outcomes].sort().join(' and ')}`);
});

test('with ISPS=open, an ISP is either deleted before an activation that names it, or not at all', async () => {
  const outcomes = new Map<number, number>();
  for (let round = 0; round < PAIRS; round++) {
    const partner = await register();
    const deletion = Promise.resolve(isps.remove(partner));
    await sleep(Math.random() * 10);
    const recorded = await recordOpenly.put(activation(newEntity(), 1, by(partner)));
    // Once the activation is recorded, an ISP that still exists is in use.
    const after = await isps.get(partner);
    const { status } = await deletion;
    outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    expect([recorded.status, status, after.status]).toEqual([201, status, status === 204 ? 404 : 200]);
  }
  console.info(`responses to deletions during an activation with ISPS=open: ${JSON.stringify(Object.fromEntries(outcomes))}`);
});

describe('requests run in the order in which they lock the row of the ISP', () => {
  let holder: pg.Client;
  const run = ({ text, values }: { text: string; values: unknown[] }) => holder.query(text, values);

  beforeEach(async () => {
    holder = new pg.Client(service.databaseUrl);
    await holder.connect();
    await holder.query('begin');
  });
  afterEach(() => holder.end());

  /** Deletes an ISP as the service does: locks its row, checks for events and deletes it. */
  async function deleteInTransaction(partner: string): Promise<void> {
    await holder.query('select version from isp where partner_id = $1 for update', [partner]);
    const named = await holder.query(`select 1 from event where sys_attributes ->> 'partner_id' = $1`, [partner]);
    expect(named.rows).toEqual([]);
    await holder.query('delete from isp where partner_id = $1', [partner]);
  }

  /** Resolves when a statement of the service is waiting for a lock held by `holder`, or when the request completes anyway. */
  async function untilItWaits(request: Promise<unknown>): Promise<void> {
    let isAnswered = false;
    void request.finally(() => (isAnswered = true));
    await until('a statement that waits for a lock', async () => isAnswered || (await blockedStatements(service.databaseUrl)) > 0);
  }

  test.each([true, false])(
    'a deletion waits for an activation that is being recorded, and then sees it; ISP required: %s',
    async (isRequired) => {
      const partner = await register();
      const entityId = newEntity();
      const key: TimelineKey = { tenant: 'ano.test', namespaceId: PRODUCTION, entityId, shardKey: shardKeyOf(entityId) };
      const sysAttributes = JSON.stringify({ article_codes: ['A'], partner_id: partner });
      const requested: RequestedEvent = {
        type: 'activation',
        at: Timestamp.parse('2026-01-01T12:00:00Z')!,
        timezone: 'UTC',
        sysAttributes,
        sysHash: hashSysAttributes(sysAttributes),
        actor: null,
        user: { usr_reference: null, usr_attributes: null, comment: null },
        isp: { partnerId: partner, isRequired },
      };
      const { rows } = await run(appendEvent(key, { version: 0, isLast: true }, requested));
      expect(rows).toEqual([expect.objectContaining({ outcome: 'added' })]);

      const deletion = Promise.resolve(isps.remove(partner));
      await untilItWaits(deletion);
      // Other events that name the ISP do not wait.
      expect((await events.put(activation(newEntity(), 1, by(partner)))).status).toBe(201);
      await holder.query('commit');
      expect((await deletion).body.code).toBe('isp-in-use');
    },
  );

  test('an activation waits for the deletion of its ISP, and is rejected', async () => {
    const partner = await register();
    await deleteInTransaction(partner);
    const recording = Promise.resolve(events.put(activation(newEntity(), 1, by(partner))));
    await untilItWaits(recording);
    await holder.query('commit');
    expectUnregistered(await recording, partner);
  });

  test.each(['an activation', 'a notification'])(
    'with ISPS=open %s waits for the deletion of its ISP, and is recorded after it',
    async (kind) => {
      const partner = await register();
      await deleteInTransaction(partner);
      let isRecorded = false;
      const recording = recordOpenly
        .put((kind === 'an activation' ? activation : notification)(newEntity(), 1, by(partner)))
        .finally(() => (isRecorded = true));
      await untilItWaits(recording);
      expect(isRecorded).toBe(false);
      await holder.query('commit');
      expect((await recording).status).toBe(201);
    },
  );

  test('an activation waits for a change of its ISP, and is recorded', async () => {
    const partner = await register();
    await holder.query('update isp set name = $1 where partner_id = $2', [newName(), partner]);
    const recording = Promise.resolve(events.put(activation(newEntity(), 1, by(partner))));
    await untilItWaits(recording);
    await holder.query('commit');
    expect((await recording).status).toBe(201);
  });
});
