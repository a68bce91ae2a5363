import { setTimeout as sleep } from 'node:timers/promises';
import { blockedStatements, type TestService, until } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import pg from 'pg';
import { SETTLED_SOON } from '../billing/periods.js';
import { append, deactivation, newEntity, notification, offenders, startEvents, update } from '../events/events.js';
import { nextOf } from '../service/pages.js';
import { activated, ispOf, type Line, LINES, linesOf, operatorOf } from './lines.js';

/** More than a window at one operator, and fewer at the other. */
const MANY = volume(1_150, 2_300, 10_000);

let service: TestService;
let number = 0;

beforeAll(async () => {
  ({ service } = await startEvents({ ...SETTLED_SOON, NAMESPACES_ENABLED: 'true' }));
});
afterAll(() => service.close());

/** Noon in Vienna on a day in January. */
const noon = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T12:00:00+01:00`;

/** Two operators that both know two ISPs. */
async function newWorld() {
  const world = ++number;
  const [blueTenant, redTenant] = [`isp.blue${world}`, `isp.red${world}`];
  const [one, two] = [await operatorOf(service, `ano.one${world}`), await operatorOf(service, `ano.two${world}`)];
  const [blue, red] = [await ispOf(service, blueTenant), await ispOf(service, redTenant)];
  const partners = {
    one: { blue: await one.register(blueTenant), red: await one.register(redTenant), nobody: await one.register() },
    two: { blue: await two.register(blueTenant), red: await two.register(redTenant) },
  };
  return { one, two, blue, red, partners, blueTenant, redTenant };
}

const idsOf = (lines: readonly Line[]): string[] => lines.map(({ entity_id }) => entity_id);

test('of a circuit that two lines use in turn, each instant has the right ISP, and the other one sees nothing', async () => {
  const { one, two, blue, red, partners } = await newWorld();
  const [first, second, elsewhere] = [newEntity(), newEntity(), newEntity()];
  const circuit = { option82: 'OLT1 eth 0/1/7:100', partner_reference: 'Ä "1"' };
  await one.record(activated(first, partners.one.blue, 2, circuit), deactivation(first, 10));
  await one.record(activated(second, partners.one.red, 12, { option82: circuit.option82 }));
  // Another operator's circuit of the same name.
  await two.record(activated(elsewhere, partners.two.red, 2, { option82: circuit.option82 }));
  const { option82 } = circuit;
  for (const [at, ofBlue, ofRed] of [
    [noon(1), [], []],
    ['2026-01-02T11:59:59.999999+01:00', [], []],
    [noon(2), [first], [elsewhere]],
    ['2026-01-10T11:59:59.999999+01:00', [first], [elsewhere]],
    [noon(10), [], [elsewhere]],
    [noon(11), [], [elsewhere]],
    [noon(12), [], [elsewhere, second].sort()],
    [undefined, [], [elsewhere, second].sort()],
  ] as const) {
    const query = { option82, ...(at && { at }) };
    expect([at, idsOf(await linesOf(blue, query)), idsOf(await linesOf(red, query))]).toEqual([at, ofBlue, ofRed]);
  }
  expect(await linesOf(blue, { option82, at: noon(5) })).toEqual([
    {
      line_id: expect.stringMatching(/^[0-9a-f-]{14}8[0-9a-f]{3}-8/),
      tenant: one.tenant,
      entity_id: first,
      partner_id: partners.one.blue,
      since: '2026-01-02T11:00:00.000+00:00',
      article_codes: ['FIBRE-100'],
      ...circuit,
    },
  ]);
  expect(await linesOf(red, { option82, tenant: two.tenant })).toHaveLength(1);
  expect(await linesOf(red, { option82, partner_id: partners.one.red })).toHaveLength(1);
  // Case counts, unlike where people search.
  expect(await linesOf(blue, { option82: option82.toLowerCase(), at: noon(5) })).toEqual([]);
});

test('values are those in force at the instant, whichever event of the subscription set them', async () => {
  const { one, blue, partners } = await newWorld();
  const entity = newEntity();
  await one.record(
    activated(entity, partners.one.blue, 2, { option82: 'a', partner_reference: 'r' }),
    update(entity, 4, { sys_attributes: { article_codes: ['X', 'Y'], option82: 'b' } }),
    update(entity, 6, { sys_attributes: { article_codes: ['X'] } }),
    notification(entity, 7, { sys_attributes: { option82: 'n' } }),
  );
  const shown = async (query: object) =>
    (await linesOf(blue, query)).map(({ article_codes, option82, partner_reference }) => [
      article_codes.join(),
      option82,
      partner_reference,
    ]);
  expect(await shown({ at: noon(3) })).toEqual([['FIBRE-100', 'a', 'r']]);
  expect(await shown({ at: noon(5) })).toEqual([['X,Y', 'b', 'r']]);
  expect(await shown({})).toEqual([['X', 'b', 'r']]);
  for (const [query, found] of [
    [{ option82: 'a', at: noon(3) }, 1],
    [{ option82: 'a', at: noon(5) }, 0],
    [{ option82: 'a' }, 0],
    [{ option82: 'b', at: noon(3) }, 0],
    [{ option82: 'b', at: noon(5) }, 1],
    [{ option82: 'b' }, 1],
    [{ option82: 'n' }, 0],
    [{ partner_reference: 'r' }, 1],
    [{ partner_reference: 'r', option82: 'b' }, 1],
    [{ partner_reference: 'R' }, 0],
    [{ article_code: 'Y', at: noon(5) }, 1],
    [{ article_code: 'Y' }, 0],
  ] as const)
    expect([query, (await shown(query)).length]).toEqual([query, found]);
});

test('events that are recorded late change whose line it was', async () => {
  const { one, blue, red, partners } = await newWorld();
  const entity = newEntity();
  const at = { at: noon(12), option82: 'late' };
  await one.record(activated(entity, partners.one.blue, 2, { option82: 'late' }));
  expect([(await linesOf(blue, at)).length, (await linesOf(red, at)).length]).toEqual([1, 0]);
  await one.record(deactivation(entity, 10));
  expect([(await linesOf(blue, at)).length, (await linesOf(red, at)).length]).toEqual([0, 0]);
  await one.record(activated(entity, partners.one.red, 11, { option82: 'late' }));
  expect([(await linesOf(blue, at)).length, (await linesOf(red, at)).length]).toEqual([0, 1]);
  // What was before stays as it was.
  expect(idsOf(await linesOf(blue, { ...at, at: noon(9) }))).toEqual([entity]);
  await one.record(
    update(entity, 11, { event_at: '2026-01-11T13:00:00+01:00', sys_attributes: { article_codes: ['A'], option82: 'moved' } }),
  );
  expect(await linesOf(red, at)).toEqual([]);
  expect(await linesOf(red, { ...at, option82: 'moved' })).toHaveLength(1);
});

test('an erased line stays in the list, and its values are gone at every instant', async () => {
  const { one, blue, partners } = await newWorld();
  const [entity, kept] = [newEntity(), newEntity()];
  const line = { option82: 'port of Maria', partner_reference: 'order of Maria' };
  await one.record(activated(entity, partners.one.blue, 2, line), deactivation(entity, 4), activated(entity, partners.one.blue, 6, line));
  await one.record(activated(kept, partners.one.blue, 2, line));
  expect(await linesOf(blue, line)).toHaveLength(2);
  await one.erase(kept, { line: 'false' });
  await one.erase(entity);
  for (const at of [noon(3), noon(7)]) {
    expect(idsOf(await linesOf(blue, { at, ...line }))).toEqual([kept]);
    const [erased] = await linesOf(blue, { at, entity_id: entity });
    expect(erased).toMatchObject({ entity_id: entity, article_codes: ['FIBRE-100'] });
    expect(JSON.stringify(erased)).not.toContain('Maria');
  }
  const file = await blue.get(`${LINES}export`).query({ entity_id: entity });
  expect([file.text.split('\r\n').length, file.text.includes('Maria')]).toEqual([3, false]);
});

describe('many lines', () => {
  let world: Awaited<ReturnType<typeof newWorld>>;
  const expected: { tenant: string; entity_id: string; partner_id: string }[] = [];

  beforeAll(async () => {
    world = await newWorld();
    const { one, two, partners } = world;
    const shared = newEntity();
    for (const [operator, { blue, red }] of [
      [one, partners.one],
      [two, partners.two],
    ] as const) {
      for (let index = 0; index < 6; index++) {
        const entity = index === 0 ? shared : newEntity();
        await operator.record(activated(entity, blue, 2, { option82: `port ${index}` }), update(entity, 3));
        // Another subscription of the same ISP, and one that has ended.
        if (index % 3 === 1) await operator.record(deactivation(entity, 4), activated(entity, blue, 5));
        if (index % 3 === 2) await operator.record(deactivation(entity, 4));
        else expected.push({ tenant: operator.tenant, entity_id: entity, partner_id: blue });
      }
      await operator.record(activated(newEntity(), red, 2), notification(newEntity(), 2));
    }
    const test = await operatorOf(service, one.tenant);
    await test.client
      .put('/api/v2/sys/events/')
      .set('namespace', 'test')
      .send(activated(newEntity(), partners.one.blue, 2))
      .expect(201);
    const key = (line: { tenant: string; entity_id: string }) => `${line.entity_id} ${line.tenant}`;
    expected.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  });

  const shown = (lines: readonly Line[]) => lines.map(({ tenant, entity_id, partner_id }) => ({ tenant, entity_id, partner_id }));

  test('every page size gives every line of every operator once, in the order of entities and operators', async () => {
    const { blue } = world;
    for (const size of [1, 2, 3, 500]) expect([size, shown(await linesOf(blue, {}, size))]).toEqual([size, expected]);
    const page = await blue.get(LINES).query({ _page_size: '3' });
    expect(page.headers['x-page-count']).toBe(String(Math.ceil(expected.length / 3)));
    expect(page.headers['x-lines-at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    const ids = (await linesOf(blue)).map(({ line_id }) => line_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await linesOf(blue, { at: noon(3) }, 2)).length).toBe(12);
  });

  test('filters combine', async () => {
    const { one, blue, partners } = world;
    const [any] = expected;
    for (const [query, wanted] of [
      [{ tenant: one.tenant }, expected.filter(({ tenant }) => tenant === one.tenant)],
      [{ partner_id: partners.one.blue.toUpperCase() }, expected.filter(({ tenant }) => tenant === one.tenant)],
      [{ partner_id: partners.one.red }, []],
      [{ tenant: one.tenant, partner_id: partners.two.blue }, []],
      [{ tenant: 'ano.none' }, []],
      [{ entity_id: any!.entity_id, tenant: any!.tenant }, [any]],
      [{ article_code: 'none' }, []],
    ] as const)
      for (const size of [1, 500]) expect([query, shown(await linesOf(blue, query, size))]).toEqual([query, wanted]);
  });

  test('a walk keeps the instant of its first page', async () => {
    const { one, blue, partners } = world;
    const first = await blue.get(LINES).query({ _page_size: '1' });
    const entity = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
    const event_at = new Date(Date.now() - 10).toISOString();
    await one.record(activated(entity, partners.one.blue, 1, {}, { event_at, event_timezone: 'UTC' }));
    // The time of an event has passed before it is recorded, but it is not settled yet; after the walk, it may be.
    const late = await blue.get(LINES).query({ at: event_at });
    expect([late.status, offenders(late), late.body.errors[0].detail]).toEqual([422, ['at'], expect.stringContaining('settled instant')]);
    const rest: Line[] = [];
    for (let next = nextOf(first); next !== undefined;) {
      const page = await blue.get(next.replace(service.url, ''));
      expect([page.status, page.headers['x-lines-at']]).toEqual([200, first.headers['x-lines-at']]);
      rest.push(...(page.body as Line[]));
      next = nextOf(page);
    }
    expect(shown(rest)).toEqual(expected.slice(1));
    const ended = new Date(Date.now() - 1).toISOString();
    await one.record(deactivation(entity, 1, { event_at: ended, event_timezone: 'UTC' }));
    // Until then, the other tests would see the line.
    await until('its end is settled', async () => Date.parse((await blue.get(LINES)).headers['x-lines-at']!) > Date.parse(ended));
  });

  test('files have the lines of the list', async () => {
    const { blue } = world;
    const at = noon(6);
    const lines = await linesOf(blue, { at });
    const json = await blue.get(`${LINES}export`).query({ at, format: 'ndjson' }).buffer(true);
    const text = json.text ?? (json.body as Buffer).toString();
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((one) => JSON.parse(one) as Line),
    ).toEqual(lines);
    expect(json.headers['x-lines-at']).toBe('2026-01-06T11:00:00.000+00:00');
    const csv = await blue.get(`${LINES}export`).query({ at });
    const [head, ...rows] = csv.text.trimEnd().split('\r\n');
    expect(head).toBe('line_id,tenant,entity_id,partner_id,since,article_codes,option82,partner_reference');
    expect(rows.map((row) => row.split(',')[0])).toEqual(lines.map(({ line_id }) => line_id));
    expect(rows[0]).toContain('"[""FIBRE-');
    expect(csv.headers['content-disposition']).toContain('lines.csv');
  });

  test('an ISP that no operator names sees nothing, and whoever is removed sees nothing any more', async () => {
    const { one, blue, partners, blueTenant } = world;
    const [nobody, operator] = [await ispOf(service, 'isp.nobody'), await ispOf(service, one.tenant)];
    for (const client of [nobody, operator]) {
      expect(await linesOf(client)).toEqual([]);
      expect((await client.get(`${LINES}export`)).text.trimEnd().split('\r\n')).toHaveLength(1);
    }
    const before = await blue.get(LINES).query({ _page_size: '1' });
    const name = 'the blue one';
    await one.isps.put(partners.one.blue, { name });
    const remaining = expected.filter(({ tenant }) => tenant !== one.tenant);
    expect(shown(await linesOf(blue))).toEqual(remaining);
    expect((await blue.get(nextOf(before)!.replace(service.url, ''))).status).toBe(200);
    await one.isps.put(partners.one.blue, { name, isp_tenant: blueTenant });
    expect(shown(await linesOf(blue))).toEqual(expected);
  });

  test('what is invalid is named', async () => {
    const { blue } = world;
    const refused = await blue
      .get(LINES)
      .set('namespace', 'test')
      .query({
        at: '2026-01-01',
        tenant: 'A B',
        entity_id: '1',
        partner_id: '1',
        article_code: '',
        option82: ' a',
        partner_reference: 'x'.repeat(256),
        state: 'active',
      });
    expect([refused.status, offenders(refused).sort()]).toEqual([
      422,
      ['article_code', 'at', 'entity_id', 'namespace', 'option82', 'partner_id', 'partner_reference', 'state', 'tenant'],
    ]);
    const future = await blue.get(`${LINES}export`).query({ at: new Date(Date.now() + 60_000).toISOString() });
    expect([future.status, offenders(future)]).toEqual([422, ['at']]);
    const page = await blue.get(LINES).query({ _page_size: '1', at: noon(5) });
    const cursor = new URL(nextOf(page)!).searchParams.get('_page_cursor')!;
    for (const query of [{ at: noon(6) }, {}, { at: noon(5), option82: 'a' }]) {
      const other = await blue.get(LINES).query({ ...query, _page_cursor: cursor });
      expect([query, other.status, offenders(other)]).toEqual([query, 422, ['_page_cursor']]);
    }
  });
});

test('an ISP gets two pages at a time; further requests wait their turn', async () => {
  const { one, blue, red, partners } = await newWorld();
  await one.record(activated(newEntity(), partners.one.blue, 2), activated(newEntity(), partners.one.red, 2));
  const holder = new pg.Client(service.databaseUrl);
  await holder.connect();
  /** Pages that are being read now. */
  const reading = (): Promise<number> => blockedStatements(service.databaseUrl, '%distinct e.entity_id%');
  try {
    await holder.query('begin');
    await holder.query('lock table event in access exclusive mode');
    const requests = [blue, blue, blue, blue, red].map((client) => client.get(LINES).then(({ status }) => status));
    await until('three pages wait for the lock', async () => (await reading()) >= 3);
    await sleep(200);
    expect(await reading()).toBe(3);
    await holder.query('commit');
    expect(await Promise.all(requests)).toEqual([200, 200, 200, 200, 200]);
  } finally {
    await holder.end();
  }
});

test('a list that is read in several windows has every line once, whatever has ended', async () => {
  const { one, two, blue, red, partners } = await newWorld();
  const entities = Array.from({ length: MANY }, newEntity);
  for (const [operator, partner, tens] of [
    [one, partners.one.blue, false],
    [two, partners.two.blue, true],
  ] as const) {
    const events = entities.flatMap((entity, index): [number, object][] => {
      if ((index % 10 === 0) !== tens) return [];
      const begun: [number, object] = [0, activated(entity, partner, 2)];
      return index % 2 === 0 ? [begun, [1, deactivation(entity, 3)]] : [begun];
    });
    await append(service.databaseUrl, operator.tenant, events);
  }
  const running = entities.filter((_, index) => index % 2 === 1).sort();
  for (const size of [volume(50, 7), 500]) expect([size, idsOf(await linesOf(blue, {}, size))]).toEqual([size, running]);
  expect(idsOf(await linesOf(blue, { at: noon(2) }, 500))).toEqual([...entities].sort());
  const page = await blue.get(LINES).query({ at: noon(2), _page_size: '100' });
  expect(page.headers['x-page-count']).toBe(String(Math.ceil(MANY / 100)));
  expect(await linesOf(red)).toEqual([]);
});
