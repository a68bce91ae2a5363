import { setTimeout as sleep } from 'node:timers/promises';
import { volume } from '@fibre/testing/volume';
import { TIME_ZONE_RELEASE } from '@fibre/dto';
import pg from 'pg';
import { activation, deactivation, newEntity, offenders, PARTNER, sql, startEvents, update } from '../events/events.js';
import { billingOf, CLOSINGS, type Closing, type Correction, SETTLED_SOON, type Step } from './periods.js';

/** The clients write for eight rounds, or for so long if that is longer. */
const SECONDS = volume(0, 0, 600);
const JANUARY = { from: '2026-01-01', to: '2026-02-01' };
const OTHER_PARTNER = '22222222-2222-4222-8222-222222222222';
const NOBODY = '0192d3a5-7c10-7e8b-a2c6-3f9d5b7a1e99';

let service: Awaited<ReturnType<typeof startEvents>>['service'];
let tenants = 0;
const newBilling = (headers?: Record<string, string>) => billingOf(service, `ano.closing${++tenants}`, headers);

beforeAll(async () => {
  ({ service } = await startEvents({ ...SETTLED_SOON, NAMESPACES_ENABLED: 'true' }));
});
afterAll(() => service.close());

test('a closing remembers its window and instant, is listed, and follows the previous one of the same window and ISP', async () => {
  const billing = await newBilling();
  const body = { ...JANUARY, reference: 'INV-1', comment: 'first', timezone: null, partner_id: null };
  const response = await billing.close(body);
  const first = response.body as Closing;
  expect([response.status, response.headers['location']]).toEqual([201, `${CLOSINGS}${first.closing_id}/`]);
  expect(response.headers['x-timezone-release']).toBe(TIME_ZONE_RELEASE);
  expect(first).toEqual({
    closing_id: expect.any(String),
    from: '2025-12-31T23:00:00.000+00:00',
    to: '2026-01-31T23:00:00.000+00:00',
    timezone: 'Europe/Vienna',
    reference: 'INV-1',
    comment: 'first',
    tenant: `ano.closing${tenants}`,
    recorded_until: expect.stringMatching(/\+00:00$/),
    created_at: expect.any(String),
    created_by: 'client',
  });
  const second = await billing.closed({ from: '2026-01-01T00:00:00+01:00', to: '2026-02-01', timezone: 'Europe/Paris' });
  expect(second.previous_closing_id).toBe(first.closing_id);
  const ofPartner = await billing.closed({ ...JANUARY, partner_id: PARTNER.toUpperCase() });
  expect(ofPartner).toMatchObject({ partner_id: PARTNER });
  const exact = await billing.closed({ from: '2026-01-01T00:00:00.000001Z', to: '2026-01-02T00:00:00Z', timezone: 'UTC' });
  expect(exact).toMatchObject({ from: '2026-01-01T00:00:00.000001+00:00', to: '2026-01-02T00:00:00.000+00:00' });
  for (const closing of [ofPartner, exact]) expect(closing.previous_closing_id).toBeUndefined();

  const list = async (query: object) => (await billing.client.get(CLOSINGS).query(query)).body as Closing[];
  expect(await list({})).toEqual([first, second, ofPartner, exact]);
  expect(await list(JANUARY)).toEqual([first, second, ofPartner]);
  expect(await list({ partner_id: PARTNER })).toEqual([ofPartner]);
  expect(await list({ from: '2026-01-01T00:00:00.000001Z' })).toEqual([exact]);
  expect(await list({ to: '2026-02-01', timezone: 'UTC' })).toEqual([]);
  expect((await billing.client.get(`${CLOSINGS}${first.closing_id}`)).body).toEqual(first);
  // A closing of all ISPs follows one of all ISPs, even if one of a single ISP is newer.
  expect((await billing.closed(JANUARY)).previous_closing_id).toBe(second.closing_id);
  expect((await billing.closed({ ...JANUARY, partner_id: PARTNER })).previous_closing_id).toBe(ofPartner.closing_id);
  for (const other of [await newBilling(), await billingOf(service, `ano.closing${tenants}`, { namespace: 'test' })]) {
    expect((await other.client.get(`${CLOSINGS}${first.closing_id}`).set('namespace', 'test')).status).toBe(404);
    expect(offenders(await other.get('', { closing: first.closing_id }))).toEqual(['closing']);
  }
});

test('invalid closings are rejected', async () => {
  const billing = await newBilling();
  const refused = async (body: object) => offenders(await billing.close(body));
  expect(await refused({})).toEqual(['#/from', '#/to']);
  expect(await refused({ from: 'x', to: '2026-02-01', timezone: 'Nowhere', partner_id: 1, reference: '', comment: '', more: 1 })).toEqual(
    expect.arrayContaining(['#/from', '#/timezone', '#/partner_id', '#/reference', '#/comment', '#/more']),
  );
  expect(await refused({ from: '2026-02-01', to: '2026-01-01' })).toEqual(['#/to']);
  expect(await refused({ from: '2025-01-01', to: '2026-06-01' })).toEqual(['#/to']);
  for (const method of ['put', 'patch', 'delete'] as const)
    expect((await billing.client[method](`${CLOSINGS}${NOBODY}`).send({})).status).toBe(405);
});

test('the same key and body return the first closing, and the same key with another body is rejected', async () => {
  const billing = await newBilling();
  const key = { 'idempotency-key': 'january' };
  const attempts = await Promise.all(Array.from({ length: 8 }, () => billing.closed(JANUARY, key)));
  expect(new Set(attempts.map(({ closing_id }) => closing_id)).size).toBe(1);
  expect(await billing.closed({ ...JANUARY, timezone: 'Europe/Vienna' }, key)).toEqual(attempts[0]);
  for (const other of [{ partner_id: PARTNER }, { reference: 'r' }, { comment: 'c' }, { timezone: 'Europe/Paris' }, { to: '2026-01-31' }]) {
    const response = await billing.close({ ...JANUARY, ...other }, key);
    expect([other, response.status, response.body.code]).toEqual([other, 422, 'idempotency-key-taken']);
  }
  expect((await billing.client.get(CLOSINGS)).body).toHaveLength(1);
  // Another tenant may use the same key.
  expect((await (await newBilling()).closed(JANUARY, key)).closing_id).not.toBe(attempts[0]!.closing_id);
  expect((await billing.closed(JANUARY, { 'idempotency-key': 'again' })).previous_closing_id).toBe(attempts[0]!.closing_id);
  await sql(service.databaseUrl, `update closing set created_at = created_at - interval '25 hours' where idempotency_key = 'january'`);
  expect((await billing.closed({ ...JANUARY, reference: 'r' }, key)).closing_id).not.toBe(attempts[0]!.closing_id);
  expect((await billing.close(JANUARY, { 'idempotency-key': 'x'.repeat(256) })).status).toBe(422);
});

test('a closing returns the same bytes for ever, and the corrections since then and between two closings', async () => {
  const billing = await newBilling();
  const [one, two, other] = [newEntity(), newEntity(), newEntity()];
  await billing.record(
    activation(one, 1),
    activation(two, 5),
    activation(other, 2, { sys_attributes: { partner_id: OTHER_PARTNER, article_codes: ['X'] } }),
  );
  await billing.settle();
  const [all, ofPartner] = [await billing.closed(JANUARY), await billing.closed({ ...JANUARY, partner_id: PARTNER })];
  const bytes = async ({ closing_id: closing, recorded_until }: Closing): Promise<string[]> => {
    const lists = await Promise.all(['', 'totals/'].map((path) => billing.get(path, { closing })));
    for (const { status, headers } of lists) expect([status, headers['x-recorded-until']]).toEqual([200, recorded_until]);
    const files = [];
    for (const path of ['export', 'totals/export'])
      for (const format of ['csv', 'ndjson']) files.push(await billing.file({ closing, format }, path));
    return [...lists.map(({ text }) => text), ...files.map((file) => file.body as string)];
  };
  const before = [await bytes(all), await bytes(ofPartner)];
  expect(before[0]![0]).toBe((await billing.periods({ ...JANUARY, recorded_until: all.recorded_until })).response.text);
  expect(before[1]![0]).toBe(
    (await billing.periods({ ...JANUARY, recorded_until: ofPartner.recorded_until, partner_id: PARTNER })).response.text,
  );
  expect(before[1]!.join()).not.toContain('"X"');

  const since = (query: object): Promise<Correction[]> => billing.corrections({ closing: all.closing_id, ...query });
  expect(await since({})).toEqual([]);
  const [ended] = await billing.record(deactivation(two, 20));
  await billing.settle();
  const again = await billing.closed(JANUARY);
  await billing.record(update(one, 10));
  await billing.settle();
  const ids = (corrections: Correction[]) => corrections.map(({ entity_id }) => entity_id);
  expect(ids(await since({})).sort()).toEqual([one, two].sort());
  expect(await since({ entity_id: two })).toMatchObject([{ before: [{ runs_on: true }], after: [{ ends: ended }] }]);
  expect(ids(await since({ until_closing: again.closing_id }))).toEqual([two]);
  expect(ids(await billing.corrections({ closing: again.closing_id }))).toEqual([one]);
  expect(
    ids(await billing.corrections({ ...JANUARY, recorded_from: '2026-01-01T00:00:00Z', until_closing: all.closing_id })).sort(),
  ).toEqual([one, two, other].sort());
  expect([await bytes(all), await bytes(ofPartner)]).toEqual(before);
});

test('a closing keeps its counts: an activation that is recorded late is one more start, in corrections and in the next closing', async () => {
  const billing = await newBilling();
  const [one, two, late] = [newEntity(), newEntity(), newEntity()];
  await billing.record(activation(one, 1), activation(two, 5), update(two, 10));
  await billing.settle();
  const first = await billing.closed(JANUARY);
  const counts = async ({ closing_id: closing }: Closing): Promise<object> =>
    Object.fromEntries(
      (await billing.totals({ closing })).map(({ article_code, started, added, removed, ended }) => [
        article_code,
        [started, added, removed, ended],
      ]),
    );
  const invoiced = { 'FIBRE-100': [2, 0, 1, 0], 'FIBRE-250': [0, 1, 0, 0] };
  expect(await counts(first)).toEqual(invoiced);
  const [begins, ends] = await billing.record(activation(late, 20), deactivation(two, 25));
  await billing.settle();
  const second = await billing.closed(JANUARY);
  expect(await counts(first)).toEqual(invoiced);
  expect(await counts(second)).toEqual({ 'FIBRE-100': [3, 0, 1, 0], 'FIBRE-250': [0, 1, 0, 1] });
  const corrections = await billing.corrections({ closing: first.closing_id, until_closing: second.closing_id });
  const of = (entity: string): object | undefined => corrections.find(({ entity_id }) => entity_id === entity);
  expect(corrections).toHaveLength(2);
  expect(of(late)).toMatchObject({ before: [], after: [{ begins, begins_by: 'activation', article_codes: ['FIBRE-100'] }] });
  expect(of(two)).toMatchObject({ before: [{ begins_by: 'update', runs_on: true }], after: [{ ends, ends_by: 'deactivation' }] });
});

test('a closing closes what was reviewed, whatever another client has recorded meanwhile', async () => {
  const billing = await newBilling();
  const [one, two] = [newEntity(), newEntity()];
  await billing.record(activation(one, 1), activation(two, 5));
  await billing.settle();
  const paths = ['', 'totals/'];
  const files = ['export', 'totals/export'].flatMap((path) => ['csv', 'ndjson'].map((format) => ({ path, format })));
  const bytes = async (query: Record<string, string>): Promise<unknown[]> => [
    ...(await Promise.all(paths.map(async (path) => (await billing.get(path, query)).text))),
    ...(await Promise.all(files.map(async ({ path, format }) => (await billing.file({ ...query, format }, path)).body as string))),
  ];
  const { recordedUntil: recorded_until } = await billing.periods(JANUARY);
  const shown = await bytes({ ...JANUARY, recorded_until });
  const [late] = await billing.record(deactivation(two, 20));
  await billing.settle();
  const closing = await billing.closed({ ...JANUARY, recorded_until });
  expect(closing.recorded_until).toBe(recorded_until);
  expect(await bytes({ closing: closing.closing_id })).toEqual(shown);
  expect(await billing.corrections({ closing: closing.closing_id })).toMatchObject([{ entity_id: two, after: [{ ends: late }] }]);
});

test('recorded_until must be settled and not before that of the previous closing, and belongs to what a key repeats', async () => {
  const billing = await newBilling();
  const first = (await billing.periods(JANUARY)).recordedUntil;
  const refused = async (body: object, headers = {}) => {
    const response = await billing.close({ ...JANUARY, ...body }, headers);
    return [response.status, response.body.code, ...offenders(response)];
  };
  const future = new Date(Date.now() + 3_600_000).toISOString();
  const pointer = [422, 'invalid-request', '#/recorded_until'];
  expect(await refused({ recorded_until: future })).toEqual(pointer);
  expect(await refused({ recorded_until: 'x' })).toEqual(pointer);
  expect(await refused({ recorded_until: '2026-02-01T00:00:00.1234567Z' })).toEqual(pointer);
  const key = { 'idempotency-key': 'reviewed' };
  const closing = await billing.closed({ ...JANUARY, recorded_until: first }, key);
  expect(await billing.closed({ ...JANUARY, recorded_until: first.replace('+00:00', '0000Z') }, key)).toEqual(closing);
  for (const recorded_until of [undefined, '2026-01-01T00:00:00Z']) {
    const response = await billing.close({ ...JANUARY, recorded_until }, key);
    expect([response.status, response.body.code]).toEqual([422, 'idempotency-key-taken']);
  }
  const earlier = await billing.close({ ...JANUARY, recorded_until: '2026-01-01T00:00:00Z' });
  expect([earlier.status, earlier.body.detail]).toEqual([422, expect.stringContaining(closing.closing_id)]);
  // The same instant again is no step back, and another window has nothing before it.
  expect((await billing.closed({ ...JANUARY, recorded_until: first })).previous_closing_id).toBe(closing.closing_id);
  await billing.closed({ ...JANUARY, partner_id: PARTNER, recorded_until: '2026-01-01T00:00:00Z' });
});

test('a closing warns of a window that is not over, and of dates that overlap or miss a neighbour by less than 26 hours', async () => {
  const billing = await newBilling();
  const warnings = async (body: object) => ((await billing.close(body)).body as { warnings?: string[] }).warnings;
  const year = new Date().getUTCFullYear();
  const [open] = (await warnings({ from: `${year}-12-01`, to: `${year + 1}-01-01` }))!;
  expect(open).toContain('not over yet');
  const recorded_until = '2026-02-15T00:00:00.000+00:00';
  expect(await warnings({ from: '2026-02-10', to: '2026-02-20', partner_id: PARTNER, recorded_until })).toEqual([
    `The window is not over yet: it ends at 2026-02-19T23:00:00.000+00:00, and only what was recorded until ${recorded_until} counts.`,
  ]);

  /** The warnings of a closing in a tenant that has closed January. */
  const besideJanuary = async (body: object) => {
    const { close, closed } = await newBilling();
    const january = await closed(JANUARY);
    expect(january).not.toHaveProperty('warnings');
    const { warnings: given } = (await close(body)).body as { warnings?: string[] };
    return given?.map((warning) => warning.replace(january.closing_id, 'JANUARY'));
  };
  const end = 'closing JANUARY (2026-01-31T23:00:00.000+00:00)';
  const start = 'closing JANUARY (2025-12-31T23:00:00.000+00:00)';
  for (const [from, to, expected] of [
    ['2026-02-01', '2026-02-20', undefined],
    ['2026-02-02', '2026-02-20', `begins 24 h after the end of ${end}: that time is left out.`],
    ['2026-02-03', '2026-02-20', undefined],
    ['2026-01-31', '2026-02-20', `begins 24 h before the end of ${end}: that time is charged twice.`],
    ['2026-01-30', '2026-02-20', undefined],
    ['2025-12-10', '2026-01-01', undefined],
    ['2025-12-10', '2026-01-02', `ends 24 h after the start of ${start}: that time is charged twice.`],
    ['2025-12-10', '2025-12-31', `ends 24 h before the start of ${start}: that time is left out.`],
    ['2025-12-10', '2025-12-30', undefined],
    // Whoever sends an instant says exactly what is meant.
    ['2026-01-31T23:30:00Z', '2026-02-20', undefined],
  ] as const)
    expect([from, to, await besideJanuary({ from, to })]).toEqual([from, to, expected && [`The window ${expected}`]]);
  const london = { from: '2026-02-01', to: '2026-02-20', timezone: 'Europe/London' };
  expect(await besideJanuary(london)).toEqual([`The window begins 1 h after the end of ${end}: that time is left out.`]);
  expect(await besideJanuary({ from: '2026-02-02', to: '2026-02-20', partner_id: PARTNER })).toBeUndefined();
  // Of the closings of one window, only the last one is a neighbour.
  const again = await newBilling();
  await again.closed(JANUARY);
  const last = await again.closed(JANUARY);
  const { warnings: given } = (await again.close({ from: '2026-02-02', to: '2026-02-20' })).body as { warnings?: string[] };
  expect(given).toEqual([expect.stringContaining(last.closing_id)]);
});

test('of closings of one day after the other, none is warned of, and a warning is stored with its closing', async () => {
  const billing = await newBilling();
  const day = (from: number) => ({ from: `2026-01-${10 + from}`, to: `2026-01-${11 + from}` });
  for (const from of [0, 1, 2, 3]) expect(await billing.closed(day(from))).not.toHaveProperty('warnings');
  const backwards = await newBilling();
  for (const from of [3, 2, 1, 0]) expect(await backwards.closed(day(from))).not.toHaveProperty('warnings');
  const key = { 'idempotency-key': 'gap' };
  const gap = await billing.closed({ from: '2026-01-15', to: '2026-01-20' }, key);
  expect(gap).toHaveProperty('warnings');
  expect(await billing.closed({ from: '2026-01-15', to: '2026-01-20' }, key)).toEqual(gap);
  expect((await billing.client.get(`${CLOSINGS}${gap.closing_id}`)).body).toEqual(gap);
});

test('parameters that a closing replaces are rejected together with it, and all of them are named', async () => {
  const billing = await newBilling();
  const [{ closing_id: closing }, { closing_id: february }] = [
    await billing.closed(JANUARY),
    await billing.closed({ from: '2026-02-01', to: '2026-03-01' }),
  ];
  const more = { ...JANUARY, timezone: 'UTC', partner_id: PARTNER };
  const until = '2026-01-01T00:00:00Z';
  const refused = async (path: string, query: object) => offenders(await billing.get(path, query as Record<string, string>)).sort();
  for (const path of ['', 'export', 'totals', 'totals/export']) {
    const names = ['from', 'partner_id', 'recorded_until', 'timezone', 'to'];
    expect([path, await refused(path, { ...more, closing, recorded_until: until })]).toEqual([path, names]);
    expect([path, await refused(path, {})]).toEqual([path, ['from', 'to']]);
    expect([path, await refused(path, { closing: NOBODY })]).toEqual([path, ['closing']]);
    expect([path, await refused(path, { closing: 'x' })]).toEqual([path, ['closing']]);
  }
  const corrected = { closing, recorded_from: until };
  expect(await refused('corrections', { ...more, ...corrected })).toEqual(['from', 'partner_id', 'recorded_from', 'timezone', 'to']);
  expect(await refused('corrections', { closing, until_closing: closing, recorded_until: until })).toEqual(['recorded_until']);
  expect(await refused('corrections', {})).toEqual(['from', 'recorded_from', 'to']);
  expect(await refused('corrections', { closing: NOBODY, until_closing: NOBODY })).toEqual(['closing', 'until_closing']);
  // Only its instant is used, so it may be of another window or ISP.
  expect(await billing.corrections({ closing, until_closing: february })).toEqual([]);
  expect(await billing.corrections({ ...JANUARY, partner_id: PARTNER, recorded_from: until, until_closing: closing })).toEqual([]);
});

test('the corrections since a closing are what they were when the settled instant has moved back behind it', async () => {
  const billing = await newBilling();
  const holder = new pg.Client(service.databaseUrl);
  await holder.connect();
  try {
    await holder.query('begin');
    await billing.record(activation(newEntity(), 1));
    await billing.settle();
    const { closing_id: closing, recorded_until } = await billing.closed(JANUARY);
    // Its transaction began before the event was recorded, and writes only now.
    await holder.query('select pg_current_xact_id()');
    expect((await billing.periods(JANUARY)).recordedUntil < recorded_until).toBe(true);
    const corrections = await billing.get('corrections/', { closing });
    expect([corrections.status, corrections.body, corrections.headers['x-recorded-until']]).toEqual([200, [], recorded_until]);
    expect((await billing.get('totals/', { closing })).body).toHaveLength(1);
  } finally {
    await holder.end();
  }
});

test(
  'an event is in exactly one of two consecutive closings or after both, while clients write and close',
  async () => {
    const billing = await newBilling();
    let isWriting = true;
    const recorded: string[] = [];
    const writers = Array.from({ length: 6 }, async () => {
      while (isWriting) {
        const entity = newEntity();
        await billing.record(activation(entity, 1));
        recorded.push(entity);
        await sleep(volume(20, 0));
      }
    });
    const holder = new pg.Client(service.databaseUrl);
    await holder.connect();
    const closings: Closing[] = [];
    const totals = async ({ closing_id: closing }: Closing): Promise<string> => (await billing.get('totals', { closing })).text;
    const shown: { readonly closing: Closing; readonly text: string }[] = [];
    try {
      for (let round = 0, end = Date.now() + SECONDS * 1_000; round < 8 || Date.now() < end; round++) {
        // A transaction that has begun long ago holds the settled instant back when it writes.
        if (round % 8 === 0) await holder.query('begin');
        if (round % 8 === 4) await holder.query('select pg_current_xact_id()');
        closings.push(...(await Promise.all([billing.closed(JANUARY), billing.closed(JANUARY)])));
        const closing = closings.at(-1)!;
        shown.push({ closing, text: await totals(closing) });
        await sleep(300);
        if (round % 8 === 7) await holder.query('rollback');
      }
    } finally {
      await holder.end();
      isWriting = false;
      await Promise.all(writers);
    }
    await billing.settle();
    closings.push(await billing.closed(JANUARY));
    const chain: Closing[] = [];
    for (let next = closings.find(({ previous_closing_id }) => previous_closing_id === undefined); next;) {
      const { closing_id } = next;
      chain.push(next);
      next = closings.find(({ previous_closing_id }) => previous_closing_id === closing_id);
    }
    expect(chain).toHaveLength(closings.length);
    for (const { closing, text } of shown) expect([closing.closing_id, await totals(closing)]).toEqual([closing.closing_id, text]);
    const starts = async ({ closing_id: closing }: Closing): Promise<number> =>
      (await billing.totals({ closing })).reduce((sum, { started }) => sum + started, 0);
    let started = await starts(chain[0]!);
    const charged = (await billing.all<Step>('', { closing: chain[0]!.closing_id })).map(({ entity_id }) => entity_id);
    for (const [index, { closing_id: until_closing }] of chain.slice(1).entries()) {
      const corrections = await billing.all<Correction>('corrections', { closing: chain[index]!.closing_id, until_closing });
      charged.push(...corrections.map(({ entity_id }) => entity_id));
      started += corrections.flatMap(({ after }) => after).filter(({ begins_by }) => begins_by === 'activation').length;
    }
    expect([started, await starts(chain.at(-1)!)]).toEqual([recorded.length, recorded.length]);
    expect(recorded.length).toBeGreaterThan(50);
    expect(charged.sort()).toEqual(recorded.sort());
  },
  60_000 + SECONDS * 3_000,
);

test('closings of a namespace are separate', async () => {
  const [production, test] = [await newBilling(), await billingOf(service, `ano.closing${tenants}`, { namespace: 'test' })];
  await production.closed(JANUARY);
  expect((await test.closed(JANUARY)).previous_closing_id).toBeUndefined();
  expect((await test.client.get(CLOSINGS).set('namespace', 'test')).body).toHaveLength(1);
});
