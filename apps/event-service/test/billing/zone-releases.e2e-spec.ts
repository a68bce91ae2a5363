import { rm } from 'node:fs/promises';
import { TIME_ZONE_RELEASE } from '@fibre/dto';
import { type ServiceProcess, startServiceProcess, TEST_AUDIENCE, until } from '@fibre/testing';
import supertest from 'supertest';
import { activation, deactivation, EVENTS, newEntity, notification, PARTNER, READ_WRITE, startEvents, update } from '../events/events.js';
import { OTHER_RELEASE, otherZoneRelease, ZONE } from './other-zone-release.js';
import { billingOf, CLOSINGS, type Closing, PERIODS, SETTLED_SOON } from './periods.js';

/** The other release has another offset from 5 to 14 May 2018: +08:30 instead of +09:00. */
const MAY = { from: '2018-05-01', to: '2018-06-01', timezone: ZONE };
const [FIRST, SECOND] = [
  { ...MAY, to: '2018-05-10' },
  { ...MAY, from: '2018-05-10' },
];

let here: Awaited<ReturnType<typeof startEvents>>['service'];
let folder: string;
/** The same service on the same database, with another release of the zone database. */
let there: ServiceProcess;

beforeAll(async () => {
  folder = await otherZoneRelease();
  ({ service: here } = await startEvents(SETTLED_SOON));
  there = await startServiceProcess('event-service', {
    DATABASE_URL: here.databaseUrl,
    OAUTH_ISSUER: here.issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    ...SETTLED_SOON,
    ICU_TIMEZONE_FILES_DIR: folder,
  });
});
afterAll(async () => {
  await there.kill();
  await here.close();
  await rm(folder, { recursive: true });
});

let tenants = 0;
/** A tenant, and its client at the service with the other release. */
async function newTenant() {
  const tenant = `ano.zones${++tenants}`;
  const other = supertest.agent(there.url).auth(await here.issuer.token({ ...READ_WRITE, tenant }), { type: 'bearer' });
  return { ...(await billingOf(here, tenant)), other };
}
const at = (event_at: string, event_timezone = ZONE) => ({ event_at, event_timezone });

test('the release in use is in the log, the metrics, the document and the response for a window', async () => {
  await until('the start line', () => there.log().some(({ msg }) => /listens at .* tz database 2099z/.test(String(msg))));
  for (const [url, release] of [
    [here.url, TIME_ZONE_RELEASE],
    [there.url, OTHER_RELEASE],
  ] as const) {
    expect((await supertest(url).get('/metrics')).text).toContain(`tz_database_info{release="${release}"} 1`);
    expect((await supertest(url).get(`${EVENTS}openapi.json`)).body.info.description).toContain(`tz database ${release}`);
  }
  const { get, other } = await newTenant();
  for (const path of ['', 'totals/', 'export', 'totals/export']) {
    expect([path, (await get(path, MAY)).headers['x-timezone-release']]).toEqual([path, TIME_ZONE_RELEASE]);
    expect([path, (await other.get(`${PERIODS}${path}`).query(MAY)).headers['x-timezone-release']]).toEqual([path, OTHER_RELEASE]);
  }
});

test('a closing returns the same bytes with every release: lists, files, totals and corrections', async () => {
  const { record, settle, closed, client, other } = await newTenant();
  const [one, two] = [newEntity(), newEntity()];
  await record(
    activation(one, 1, at('2018-04-20T08:00:00+08:30')),
    update(one, 1, at('2018-05-10T00:00:00+09:00')),
    activation(two, 1, at('2018-05-03T11:00:00+08:30')),
    deactivation(two, 1, at('2018-05-12T17:30:00+09:00')),
  );
  await settle();
  const closings = [await closed(MAY), await closed({ ...FIRST, partner_id: PARTNER })];
  await record(update(two, 1, at('2018-05-06T12:00:00+09:00')));
  await settle();
  const bytes = async (agent: typeof client, { closing_id: closing }: Closing): Promise<string[]> => {
    const paths = ['', 'totals/', 'corrections/', 'export?format=csv', 'export?format=ndjson'];
    const texts = [];
    for (const path of [...paths, 'totals/export?format=csv', 'totals/export?format=ndjson']) {
      const response = await agent.get(`${PERIODS}${path}`).query({ closing }).buffer(true);
      expect([path, response.status, response.headers['x-timezone-release']]).toEqual([path, 200, TIME_ZONE_RELEASE]);
      texts.push(path.startsWith('corrections') ? JSON.stringify(response.body) : response.text);
    }
    return texts;
  };
  for (const closing of closings) expect(await bytes(other, closing)).toEqual(await bytes(client, closing));
  // Otherwise, this test would prove nothing.
  const recorded_until = closings[0]!.recorded_until;
  const totals = async (agent: typeof client): Promise<string> =>
    (await agent.get(`${PERIODS}totals/`).query({ ...MAY, recorded_until })).text;
  expect(await totals(other)).not.toBe(await totals(client));
});

test('closings of the same dates follow each other, and those of neighbouring dates warn of what is charged twice or left out', async () => {
  const { closed, close, client, other } = await newTenant();
  const there = async (body: object, headers = {}): Promise<Closing & { warnings?: string[] }> =>
    (await other.post(CLOSINGS).set(headers).send(body)).body;
  const key = { 'idempotency-key': 'first' };
  const first = await closed(FIRST, key);
  expect(await there(FIRST, key)).toEqual(first);
  const again = await there(FIRST);
  expect([again.previous_closing_id, again.warnings]).toEqual([first.closing_id, undefined]);
  expect([first, again].map((one) => (one as unknown as { to: string }).to)).toEqual([
    '2018-05-09T15:00:00.000+00:00',
    '2018-05-09T15:30:00.000+00:00',
  ]);
  // It follows the last one, although that one was cut differently.
  const third = await closed({ ...FIRST, to: '2018-05-10T00:00:00+09:00' });
  expect(third.previous_closing_id).toBe(again.closing_id);
  // Not by their ids: two services have made them, and a test before this one may have moved the clock of one.
  const listed = async (agent: typeof client) => {
    const { body } = await agent.get(CLOSINGS).query({ to: '2018-05-10', timezone: ZONE });
    return (body as (Closing & { created_at: string })[]).toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  };
  expect(await listed(client)).toEqual([first, again, third]);
  expect(await listed(other)).toEqual([first, again]);

  const [left] = (await there(SECOND)).warnings!;
  expect(left).toContain('begins 30 min after the end of closing');
  expect((await close(SECOND)).body.warnings).toBeUndefined();
  const partner_id = PARTNER;
  await there({ ...FIRST, partner_id });
  expect((await close({ ...SECOND, partner_id })).body.warnings).toEqual([
    expect.stringContaining('begins 30 min before the end of closing'),
  ]);
});

test('an event that is recorded stays so with another release: its repeat is recognised before its offset is judged', async () => {
  const { put, client, other } = await newTenant();
  const entity = newEntity();
  const elsewhere = (body: object, query = {}) => other.put(EVENTS).query(query).send(body);
  const bodies = [
    activation(entity, 1, at('2018-05-10T12:00:00+09:00')),
    update(entity, 1, at('2018-05-11T12:00:00.000001+09:00')),
    notification(entity, 1, at('2018-05-11T12:00:00+09:00')),
    deactivation(entity, 1, at('2018-05-12T12:00:00+09:00')),
  ];
  for (const body of bodies) {
    const first = await put(body);
    expect([first.status, (await elsewhere(body, { dry_run: 'true' })).body]).toEqual([201, { outcome: 'repeated' }]);
    const repeat = await elsewhere(body);
    expect([repeat.status, repeat.text]).toEqual([200, first.text]);
    expect((await elsewhere({ ...body, comment: 'new' }, { dry_run: 'true' })).body).toEqual({ outcome: 'overwritten' });
    expect((await elsewhere({ ...body, comment: 'new' })).status).toBe(201);
  }
  const wrong = activation(newEntity(), 1, at('2018-05-10T12:00:00+09:00'));
  for (const query of [{}, { dry_run: 'true' }]) {
    const { status, body } = await elsewhere(wrong, query);
    expect([status, body.code, body.errors]).toEqual([
      422,
      'invalid-request',
      [{ pointer: '#/event_at', detail: `has the offset +09:00, but ${ZONE} has +08:30 at that instant (tz database ${OTHER_RELEASE})` }],
    ]);
  }
  // What differs from the recorded event is judged as a new one.
  const { status, body } = await elsewhere({ ...bodies[0], sys_attributes: { partner_id: newEntity(), article_codes: ['X'] } });
  expect([status, body.errors[0].pointer]).toEqual([422, '#/event_at']);
  expect((await client.get(EVENTS).query({ entity_id: entity })).body).toHaveLength(4);
});
