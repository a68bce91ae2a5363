import { setTimeout as sleep } from 'node:timers/promises';
import { blockedStatements, until } from '@fibre/testing';
import pg from 'pg';
import { activation, append, deactivation, newEntity, notification, offenders, PARTNER, startEvents, update } from '../events/events.js';
import { nextOf } from '../service/pages.js';
import { billingOf, type Correction, SETTLED_SOON, type Query, type Step } from './periods.js';

const OTHER_PARTNER = '22222222-2222-4222-8222-222222222222';
const JANUARY = { from: '2026-01-01', to: '2026-02-01' };
/** Noon in Vienna on the given day in January, in the format of a response. */
const noon = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T11:00:00.000+00:00`;
const END = '2026-01-31T23:00:00.000+00:00';

let service: Awaited<ReturnType<typeof startEvents>>['service'];
let tenants = 0;
const newBilling = (headers?: Record<string, string>) => billingOf(service, `ano.bill${++tenants}`, headers);

beforeAll(async () => {
  ({ service } = await startEvents(SETTLED_SOON));
});
afterAll(() => service.close());

test('steps are clipped to the window, and name the events that began and ended them inside it', async () => {
  const billing = await newBilling();
  const entity_id = newEntity();
  const given = { partner_id: PARTNER, article_codes: ['FIBRE-100'], option82: 'port 1' };
  const [activated, updated, deactivated, again] = await billing.record(
    activation(entity_id, 5, { sys_attributes: given }),
    update(entity_id, 10, { sys_attributes: { article_codes: ['FIBRE-250', 'TV'], partner_reference: 'r' } }),
    deactivation(entity_id, 20),
    activation(entity_id, 25, { sys_attributes: { partner_id: OTHER_PARTNER, article_codes: ['FIBRE-1000'] } }),
    notification(entity_id, 12),
  );
  await billing.settle();
  const first = { entity_id, partner_id: PARTNER, article_codes: ['FIBRE-100'], option82: 'port 1' };
  const second = { ...first, article_codes: ['FIBRE-250', 'TV'], partner_reference: 'r' };
  const third = { entity_id, partner_id: OTHER_PARTNER, article_codes: ['FIBRE-1000'] };
  const [begunByUpdate, endedByUpdate] = [
    { begins: updated, begins_by: 'update' },
    { ends: updated, ends_by: 'update' },
  ];
  const steps = async (query: Query): Promise<Step[]> => (await billing.periods(query)).steps;

  expect(await steps(JANUARY)).toEqual([
    { ...first, from: noon(5), to: noon(10), begins: activated, begins_by: 'activation', ...endedByUpdate, runs_on: false },
    { ...second, from: noon(10), to: noon(20), ...begunByUpdate, ends: deactivated, ends_by: 'deactivation', runs_on: false },
    { ...third, from: noon(25), to: END, begins: again, begins_by: 'activation', runs_on: true },
  ]);
  // The window begins and ends within steps; members that the activation set still apply.
  expect(await steps({ from: '2026-01-07T12:00:00+01:00', to: '2026-01-15T12:00:00+01:00' })).toEqual([
    { ...first, from: noon(7), to: noon(10), ...endedByUpdate, runs_on: false },
    { ...second, from: noon(10), to: noon(15), ...begunByUpdate, runs_on: true },
  ]);
  // The window begins and ends exactly where steps do: a step that begins at `from` is inside, one that ends at `to` runs on, and one that
  // ended at `from` is outside.
  expect(await steps({ from: noon(10), to: noon(20) })).toEqual([
    { ...second, from: noon(10), to: noon(20), ...begunByUpdate, runs_on: true },
  ]);
  expect(await steps({ from: noon(20), to: noon(25) })).toEqual([]);
  expect(await steps({ from: '2026-02-01', to: '2026-03-01', timezone: 'UTC' })).toEqual([
    { ...third, from: '2026-02-01T00:00:00.000+00:00', to: '2026-03-01T00:00:00.000+00:00', runs_on: true },
  ]);
  const articles = async (query: Query): Promise<string[]> => (await steps({ ...JANUARY, ...query })).flatMap((step) => step.article_codes);
  expect(await articles({ partner_id: OTHER_PARTNER.toUpperCase() })).toEqual(['FIBRE-1000']);
  expect(await articles({ article_code: 'TV' })).toEqual(['FIBRE-250', 'TV']);
  expect(await articles({ entity_id, article_code: 'FIBRE-1000', partner_id: PARTNER })).toEqual([]);
  expect(await articles({ entity_id: newEntity() })).toEqual([]);
});

test('a date means midnight in the time zone: October has 745 hours in Vienna', async () => {
  const billing = await newBilling();
  await billing.record(activation(newEntity(), 1, { event_at: '2025-01-01T12:00:00+01:00' }));
  await billing.settle();
  const hours = async (query: Query): Promise<number> => {
    const [step] = (await billing.periods(query)).steps as [Step];
    return (Date.parse(step.to) - Date.parse(step.from)) / 3_600_000;
  };
  expect(await hours({ from: '2025-10-01', to: '2025-11-01' })).toBe(745);
  expect(await hours({ from: '2025-03-01', to: '2025-04-01' })).toBe(743);
  expect(await hours({ from: '2025-10-01', to: '2025-11-01', timezone: 'UTC' })).toBe(744);
  expect(await hours({ from: '2025-02-01', to: '2026-03-08' })).toBe(400 * 24);
  // 400 days of Vienna, the last of which has another offset than the first.
  expect(await hours({ from: '2025-10-01', to: '2026-11-05' })).toBe(400 * 24 + 1);
  // On this day, Havana skips midnight, and the day begins at 1 a.m.
  expect(await hours({ from: '2026-03-08', to: '2026-03-09', timezone: 'America/Havana' })).toBe(23);
});

test('pages have the requested number of steps, whatever the number of entities, and all show the state as of the first page', async () => {
  const billing = await newBilling();
  const entities = Array.from({ length: 5 }, newEntity).sort();
  for (const entity of entities)
    await billing.record(
      activation(entity, 1),
      ...[2, 3, 4].map((day) => update(entity, day, { sys_attributes: { article_codes: [`A${day}`] } })),
    );
  await billing.settle();
  const { steps: all, recordedUntil, response } = await billing.periods(JANUARY);
  expect(all.map(({ entity_id }) => entity_id)).toEqual(entities.flatMap((entity) => [entity, entity, entity, entity]));
  expect([response.headers['x-page-count'], nextOf(response)]).toEqual(['1', undefined]);
  for (const size of [1, 3, 4, 19]) {
    const walked: Step[] = [];
    let page = await billing.get('', { ...JANUARY, _page_size: size, recorded_until: recordedUntil });
    for (let pages = 1; ; pages++) {
      expect([page.status, page.headers['x-recorded-until'], page.headers['x-page-count']]).toEqual([
        200,
        recordedUntil,
        String(Math.ceil(20 / size)),
      ]);
      walked.push(...(page.body as Step[]));
      const next = nextOf(page);
      if (next === undefined) {
        expect(pages).toBe(Math.ceil(20 / size));
        break;
      }
      page = await billing.client.get(next.replace(service.url, ''));
    }
    expect(walked).toEqual(all);
  }
  // The cursor contains the instant of the first page, and only works for its own window.
  const first = await billing.get('', { ...JANUARY, _page_size: 7 });
  const cursor = new URL(nextOf(first)!).searchParams.get('_page_cursor')!;
  await billing.record(deactivation(entities[4]!, 20));
  await billing.settle();
  const second = await billing.get('', { ...JANUARY, _page_size: 2000, _page_cursor: cursor });
  expect([second.headers['x-recorded-until'], second.body]).toEqual([first.headers['x-recorded-until'], all.slice(7)]);
  for (const [path, query] of [
    ['', { ...JANUARY, to: '2026-02-02', _page_cursor: cursor }],
    ['', { ...JANUARY, timezone: 'UTC', _page_cursor: cursor }],
    ['', { ...JANUARY, recorded_until: recordedUntil, _page_cursor: cursor }],
    ['corrections', { ...JANUARY, recorded_from: recordedUntil, _page_cursor: cursor }],
  ] as const) {
    const refused = await billing.get(path, query);
    expect([query, refused.status, offenders(refused)]).toEqual([query, 422, ['_page_cursor']]);
  }
});

test('events recorded later do not count, and corrections show what they change', async () => {
  const billing = await newBilling();
  const [kept, ended, moved, added, touched] = Array.from({ length: 5 }, newEntity) as [string, string, string, string, string];
  const ids = await billing.record(...[kept, ended, moved, touched].map((entity) => activation(entity, 10)));
  const before = await billing.settle();
  const invoiced = await billing.periods({ ...JANUARY, recorded_until: before });

  await billing.record(
    deactivation(ended, 15),
    update(moved, 20, { sys_attributes: { article_codes: ['FIBRE-250'] } }),
    activation(added, 12),
    // None of these changes January: an event a month later, a notification, other user attributes.
    deactivation(kept, 1, { event_at: '2026-02-10T12:00:00+01:00' }),
    notification(touched, 11),
  );
  expect((await billing.put(activation(touched, 10, { comment: 'overwritten' }))).status).toBe(201);
  const after = await billing.settle();

  const again = await billing.periods({ ...JANUARY, recorded_until: before });
  expect([again.response.text, again.recordedUntil]).toEqual([invoiced.response.text, before]);
  const now = await billing.periods({ ...JANUARY, recorded_until: after });
  const corrections = await billing.corrections({ ...JANUARY, recorded_from: before, recorded_until: after });
  const of = (steps: Step[], entity: string): Step[] => steps.filter(({ entity_id }) => entity_id === entity);
  expect(corrections).toEqual(
    [ended, moved, added]
      .sort()
      .map((entity_id) => ({ entity_id, before: of(invoiced.steps, entity_id), after: of(now.steps, entity_id) })),
  );
  expect(of(invoiced.steps, ended)).toEqual([expect.objectContaining({ from: noon(10), to: END, begins: ids[1], runs_on: true })]);
  expect(of(now.steps, ended)).toEqual([expect.objectContaining({ from: noon(10), to: noon(15), runs_on: false })]);

  expect(await billing.corrections({ ...JANUARY, recorded_from: before, entity_id: moved })).toHaveLength(1);
  expect(await billing.corrections({ ...JANUARY, recorded_from: before, partner_id: OTHER_PARTNER })).toEqual([]);
  expect(await billing.corrections({ ...JANUARY, recorded_from: after })).toEqual([]);
  // With a filter for the new article, only the step with that article appears in the correction.
  const [other] = await billing.corrections({ ...JANUARY, recorded_from: before, entity_id: moved, article_code: 'FIBRE-250' });
  expect(other).toMatchObject({ before: [], after: [{ from: noon(20), to: END }] });
  const page = await billing.get('corrections', { ...JANUARY, recorded_from: before, recorded_until: after, _page_size: 2 });
  expect([page.body, page.headers['x-page-count'], page.headers['x-recorded-until']]).toEqual([corrections.slice(0, 2), '2', after]);
  expect((await billing.client.get(nextOf(page)!.replace(service.url, ''))).body).toEqual(corrections.slice(2));
});

test('an entity with very many steps has pages that continue its subscription, and corrections that show only what differs', async () => {
  const billing = await newBilling();
  const entity = newEntity();
  const second = (number: number): string => new Date(Date.UTC(2026, 0, 10) + number * 1_000).toISOString();
  const sys_attributes = { partner_id: PARTNER, article_codes: ['A'], option82: 'port 1' };
  await billing.record(activation(entity, 1, { sys_attributes }));
  const before = await billing.settle();
  await append(
    service.databaseUrl,
    `ano.bill${tenants}`,
    Array.from(
      { length: 1_100 },
      (_, index) =>
        [
          index + 1,
          update(entity, 1, { event_at: second(index + 1), event_timezone: 'UTC', sys_attributes: { article_codes: [`A${index + 1}`] } }),
        ] as const,
    ),
  );
  const invoiced = await billing.settle();
  const { steps } = await billing.periods({ ...JANUARY, _page_size: 2_000 });
  expect(steps.map(({ option82, article_codes }) => [option82, ...article_codes])).toEqual(
    Array.from({ length: 1_101 }, (_, number) => ['port 1', number === 0 ? 'A' : `A${number}`]),
  );
  const page = await billing.get('', { ...JANUARY, _page_size: 1_000 });
  const rest = await billing.client.get(nextOf(page)!.replace(service.url, ''));
  expect([...(page.body as Step[]), ...(rest.body as Step[])]).toEqual(steps);

  await billing.record(deactivation(entity, 1, { event_at: second(1_200), event_timezone: 'UTC' }));
  await billing.settle();
  const last = steps.at(-1)!;
  const ended = { ends: expect.any(String) as string, ends_by: 'deactivation' };
  const corrected = { ...last, to: second(1_200).replace('Z', '+00:00'), ...ended, runs_on: false };
  expect(await billing.corrections({ ...JANUARY, recorded_from: invoiced })).toEqual([
    { entity_id: entity, before: [last], after: [corrected] },
  ]);
  const [long] = (await billing.corrections({ ...JANUARY, recorded_from: before, recorded_until: invoiced })) as [Correction];
  expect([long.before.length, long.truncated, long.after]).toEqual([1, true, steps.slice(0, 1_000)]);
});

test('a tenant gets one page at a time; further requests wait their turn', async () => {
  const [billing, other] = [await newBilling(), await newBilling()];
  await billing.record(activation(newEntity(), 1));
  await other.record(activation(newEntity(), 1));
  const recorded_from = await billing.settle();
  const holder = new pg.Client(service.databaseUrl);
  await holder.connect();
  /** Pages that are being read now. */
  const reading = (): Promise<number> => blockedStatements(service.databaseUrl, '%since_from%');
  try {
    await holder.query('begin');
    await holder.query('lock table event in access exclusive mode');
    const requests = [
      ...[1, 2, 3].map((size) => billing.get('', { ...JANUARY, _page_size: size })),
      billing.get('corrections', { ...JANUARY, recorded_from }),
      other.get('', JANUARY),
    ].map((request) => request.then(({ status }) => status));
    await until('two pages wait for the lock', async () => (await reading()) >= 2);
    await sleep(200);
    expect(await reading()).toBe(2);
    await holder.query('commit');
    expect(await Promise.all(requests)).toEqual([200, 200, 200, 200, 200]);
  } finally {
    await holder.end();
  }
});

test('namespaces and tenants are separate', async () => {
  const [production, other] = [await newBilling(), await newBilling()];
  const trial = await billingOf(service, `ano.bill${tenants - 1}`, { namespace: 'trial' });
  const [one, two] = [newEntity(), newEntity()];
  await production.record(activation(one, 5));
  await trial.record(activation(two, 5));
  await trial.settle();
  const entities = async (billing: typeof trial): Promise<string[]> =>
    (await billing.periods(JANUARY)).steps.map(({ entity_id }) => entity_id);
  expect([await entities(production), await entities(trial), await entities(other)]).toEqual([[one], [two], []]);
  expect(await production.corrections({ ...JANUARY, recorded_from: '2026-01-01T00:00:00Z' })).toMatchObject([
    { entity_id: one, before: [] },
  ]);
});

test('an export has the same steps as the list: one line per article, or per step', async () => {
  const billing = await newBilling();
  const entity = newEntity();
  // Lines have the order of the articles, not that of their codes.
  const sys_attributes = { partner_id: PARTNER, article_codes: ['B "2"', 'A,1'], partner_reference: '=x,y' };
  const [begins, ends] = await billing.record(activation(entity, 5, { sys_attributes }), deactivation(entity, 6));
  const recorded_until = await billing.settle();
  const csv = await billing.file({ ...JANUARY, recorded_until });
  expect([csv.status, csv.headers['content-type'], csv.headers['content-disposition'], csv.headers['x-recorded-until']]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
    'attachment; filename="periods.csv"',
    recorded_until,
  ]);
  const events = [begins, 'activation', ends, 'deactivation'];
  const line = (article: string): string => [entity, PARTNER, noon(5), noon(6), article, '', '"=x,y"', ...events, 'false'].join(',');
  const head = 'entity_id,partner_id,from,to,article_code,option82,partner_reference,begins,begins_by,ends,ends_by,runs_on';
  expect(csv.body).toBe([head, line('"B ""2"""'), line('"A,1"'), ''].join('\r\n'));
  const lines = await billing.file({ ...JANUARY, format: 'ndjson', recorded_until });
  expect(
    (lines.body as string)
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one) as Step),
  ).toEqual((await billing.periods(JANUARY)).steps);
});

test('an invalid window is rejected', async () => {
  const billing = await newBilling();
  const refused = async (query: Query, path = ''): Promise<string[]> => {
    const response = await billing.get(path, query);
    expect([query, response.status, response.body.code]).toEqual([query, 422, 'invalid-request']);
    return offenders(response).sort();
  };
  expect(await refused({})).toEqual(['from', 'to']);
  for (const to of ['2026-01-01', '2025-12-31', '2027-02-06', '2026-02-30', '2026-02', '2026-02-01T00:00:00', '9999-12-31'])
    expect([to, await refused({ ...JANUARY, to })]).toEqual([to, ['to']]);
  expect(await refused({ from: '0001-01-01', to: '0001-02-01' })).toEqual(['to']);
  expect(await refused({ ...JANUARY, timezone: 'europe/vienna', partner_id: 'x', from: '1' })).toEqual(['from', 'partner_id', 'timezone']);
  expect(await refused({ ...JANUARY, recorded_until: '2126-01-01T00:00:00Z' })).toEqual(['recorded_until']);
  expect(await refused({ ...JANUARY, format: 'xlsx', _page_size: 1 }, 'export')).toEqual(['_page_size', 'format']);
  expect(await refused(JANUARY, 'corrections')).toEqual(['recorded_from']);
  const times = { recorded_from: '2026-02-02T00:00:00Z', recorded_until: '2026-02-01T00:00:00Z' };
  expect(await refused({ ...JANUARY, ...times }, 'corrections')).toEqual(['recorded_from']);
  expect((await billing.periods({ from: '2025-02-01', to: '2026-03-08' })).steps).toEqual([]);
});
