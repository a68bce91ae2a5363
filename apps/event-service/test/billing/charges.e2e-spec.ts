import { declaredRoutes } from '@fibre/testing';
import type { Response } from 'supertest';
import { activation, deactivation, newEntity, notification, offenders, READ_WRITE, startEvents, update } from '../events/events.js';
import { ISPS, registryOf } from '../isps/isps.js';
import { nextOf } from '../service/pages.js';
import { billingOf, type Closing, SETTLED_SOON } from './periods.js';

const CHARGES = '/api/v2/sys/charges/';
const JANUARY = { from: '2026-01-01', to: '2026-02-01' };
const [ONE, TWO] = ['ano.one', 'ano.two'];
const [BLUE, RED] = ['isp.blue', 'isp.red'];
/** What only the operators may see. */
const SECRET = 'for the operator only';

type Item = Record<string, unknown> & { tenant: string; partner_id: string; entity_id: string };

let service: Awaited<ReturnType<typeof startEvents>>['service'];
const operators = new Map<string, Awaited<ReturnType<typeof billingOf>> & { isps: ReturnType<typeof registryOf> }>();
/** The partner_id of an ISP at an operator. */
const partners: Record<string, string> = {};
/** Entities by operator and ISP; both operators have one with the same id. */
const entities: Record<string, string[]> = {};
const closings: Record<string, Closing> = {};

const ispClient = (tenant: string, scope = 'charges:read') => service.as({ tenant, scope });
const attributesOf = (partner: string) => ({ partner_id: partner, article_codes: ['FIBRE-100', 'TV'], option82: 'port' });
const user = { usr_reference: SECRET, usr_attributes: { note: SECRET }, comment: SECRET };

/** Operator `one` knows both ISPs and one without a tenant, operator `two` only the blue one. */
beforeAll(async () => {
  ({ service } = await startEvents({ ...SETTLED_SOON, NAMESPACES_ENABLED: 'true' }));
  const shared = newEntity();
  for (const tenant of [ONE, TWO]) {
    const billing = await billingOf(service, tenant);
    const isps = registryOf(billing.client);
    operators.set(tenant, { ...billing, isps });
    for (const isp of tenant === ONE ? [BLUE, RED, undefined] : [BLUE]) {
      const name = `${tenant} ${isp ?? 'nobody'}`;
      const body = { name, comment: SECRET, email: 'secret@isp.example', ...(isp && { isp_tenant: isp }) };
      const response = await isps.post(body);
      expect([response.status, response.body.isp_tenant]).toEqual([201, isp]);
      const partner = (partners[name] = response.body.partner_id as string);
      entities[name] = [...(isp === BLUE ? [shared] : []), newEntity(), newEntity()];
      for (const entity of entities[name]) {
        const sys_attributes = attributesOf(partner);
        await billing.record(activation(entity, 3, { sys_attributes, ...user }), notification(entity, 4, user), update(entity, 11, user));
      }
    }
    // An entity that the blue ISP lost to another one.
    const moved = newEntity();
    entities[`${tenant} ${BLUE}`]!.push(moved);
    const other = partners[`${ONE} ${RED}`]!;
    await billing.record(
      activation(moved, 5, { sys_attributes: attributesOf(partners[`${tenant} ${BLUE}`]!) }),
      deactivation(moved, 10),
      activation(moved, 15, { sys_attributes: attributesOf(other) }),
    );
  }
  const test = await billingOf(service, ONE, { namespace: 'test' });
  await test.record(activation(newEntity(), 2, { sys_attributes: attributesOf(partners[`${ONE} ${BLUE}`]!) }));
  await registryOf(test.client, { namespace: 'test' }).put(newEntity(), { name: 'test', isp_tenant: BLUE });
  await operators.get(ONE)!.settle();
  for (const [name, tenant, partner_id] of [
    ['all', ONE, undefined],
    ['blue', ONE, partners[`${ONE} ${BLUE}`]],
    ['red', ONE, partners[`${ONE} ${RED}`]],
    ['two', TWO, undefined],
  ] as const)
    closings[name] = await operators.get(tenant)!.closed({ ...JANUARY, partner_id, reference: `invoice ${name}`, comment: SECRET });
  await test.closed({ ...JANUARY, reference: 'test' });
});
afterAll(() => service.close());

/** Reads all pages, each with few records. */
async function walk(client: Awaited<ReturnType<typeof ispClient>>, path: string, query: object, size = 2): Promise<Item[]> {
  const items: Item[] = [];
  let page: Response = await client.get(`${CHARGES}${path}`).query({ ...query, _page_size: size });
  const count = page.headers['x-page-count'] as string;
  for (let pages = 1; ; pages++) {
    expect([path, page.status, page.text]).toEqual([path, 200, expect.any(String)]);
    items.push(...(page.body as Item[]));
    const next = nextOf(page);
    if (next === undefined) {
      expect([path, Number(count)]).toEqual([path, items.length === 0 ? 0 : pages]);
      return items;
    }
    expect([path, (page.body as Item[]).length]).toEqual([path, size]);
    page = await client.get(next.replace(service.url, ''));
  }
}

/** An operator's own list of the same, for one ISP. */
async function ofOperator(tenant: string, isp: string, path: string, query: object): Promise<Item[]> {
  const partner_id = partners[`${tenant} ${isp}`];
  const response = await operators.get(tenant)!.get(path, { ...query, partner_id });
  expect([path, response.status]).toEqual([path, 200]);
  return (response.body as Item[]).map((item) => ({ ...item, tenant }));
}

const bySomething = (items: readonly Item[]): string[] => items.map((item) => JSON.stringify(Object.entries(item).sort())).sort();

test.each([
  ['', JANUARY],
  ['totals', JANUARY],
  ['corrections', { ...JANUARY, recorded_from: '2026-01-01T00:00:00Z' }],
])('an ISP reads exactly its own records of all operators: /charges/%s', async (path, window) => {
  const recorded = { ...window, recorded_until: closings['all']!.recorded_until };
  for (const [isp, tenants] of [
    [BLUE, [ONE, TWO]],
    [RED, [ONE]],
  ] as const) {
    const client = await ispClient(isp);
    const expected = (await Promise.all(tenants.map((tenant) => ofOperator(tenant, isp, path, recorded)))).flat();
    expect(expected.length).toBeGreaterThan(1);
    for (const size of [1, 2, 500]) {
      const items = await walk(client, path, recorded, size);
      expect([path, isp, bySomething(items)]).toEqual([path, isp, bySomething(expected)]);
      const text = JSON.stringify(items);
      expect(text).not.toContain(SECRET);
      for (const partner of Object.entries(partners).filter(([name]) => !tenants.some((tenant) => name === `${tenant} ${isp}`)))
        expect([path, isp, text.includes(partner[1])]).toEqual([path, isp, false]);
    }
    for (const tenant of tenants)
      expect(bySomething(await walk(client, path, { ...recorded, tenant }))).toEqual(
        bySomething(expected.filter((item) => item.tenant === tenant)),
      );
    expect(await walk(client, path, { ...recorded, tenant: 'ano.three' })).toEqual([]);
    expect(await walk(client, path, { ...recorded, article_code: 'none' })).toEqual([]);
  }
  for (const nobody of ['isp.green', 'ano.one']) expect(await walk(await ispClient(nobody), path, recorded)).toEqual([]);
});

test('an ISP sees the closings that cover it, and what they return, but nothing about other ISPs', async () => {
  const [blue, red] = [await ispClient(BLUE), await ispClient(RED)];
  const idsOf = (items: readonly object[]): string[] => items.map((item) => (item as Closing).closing_id);
  const ids = (...names: string[]): string[] => names.map((name) => closings[name]!.closing_id);
  const seen = await walk(blue, 'closings', {});
  expect(idsOf(seen)).toEqual(ids('all', 'blue', 'two'));
  expect(seen.map(({ reference }) => reference)).toEqual([undefined, 'invoice blue', undefined]);
  expect(JSON.stringify(seen)).not.toContain(SECRET);
  expect(idsOf(await walk(red, 'closings', {}))).toEqual(ids('all', 'red'));
  expect(idsOf(await walk(blue, 'closings', { tenant: TWO }))).toEqual(ids('two'));
  expect(await walk(await ispClient('isp.green'), 'closings', {})).toEqual([]);
  const next = nextOf(await blue.get(`${CHARGES}closings`).query({ _page_size: 1 }))!.replace(service.url, '');
  const other = await blue.get(next).query({ tenant: TWO });
  expect(other.status).toBe(422);
  expect(offenders(other)).toEqual(['_page_cursor']);

  const single = async (client: typeof blue, name: string) => client.get(`${CHARGES}closings/${closings[name]!.closing_id}`);
  for (const [client, list, covering, others] of [
    [blue, seen, ['all', 'blue', 'two'], ['red']],
    [red, await walk(red, 'closings', {}), ['all', 'red'], ['blue', 'two']],
  ] as const) {
    for (const [index, name] of covering.entries()) expect((await single(client, name)).body).toEqual(list[index]);
    for (const name of others) expect([name, (await single(client, name)).status]).toEqual([name, 404]);
  }
  expect((await single(await ispClient('isp.green'), 'all')).status).toBe(404);
  const { closing_id } = closings['blue']!;
  for (const method of ['put', 'patch', 'delete', 'post'] as const)
    expect((await blue[method](`${CHARGES}closings/${closing_id}`).send({})).status).toBe(405);

  for (const path of ['', 'totals']) {
    for (const name of ['all', 'blue']) {
      const { closing_id: closing, recorded_until } = closings[name]!;
      const expected = await ofOperator(ONE, BLUE, path, { ...JANUARY, recorded_until });
      expect(bySomething(await walk(blue, path, { closing }))).toEqual(bySomething(expected));
    }
    const refused = async (query: object) => offenders(await blue.get(`${CHARGES}${path}`).query(query));
    expect(await refused({ closing: closings['red']!.closing_id })).toEqual(['closing']);
    expect(await refused({ closing: closings['all']!.closing_id, tenant: TWO })).toEqual(['closing']);
    expect(await refused({ ...JANUARY, partner_id: partners[`${ONE} ${RED}`] })).toEqual(['partner_id']);
  }

  const entity = entities[`${ONE} ${BLUE}`]![0]!;
  const others = entities[`${ONE} ${RED}`]![0]!;
  const one = operators.get(ONE)!;
  await one.record(deactivation(entity, 20), deactivation(others, 20));
  await one.settle();
  const again = await one.closed({ ...JANUARY });
  const since = await walk(blue, 'corrections', { closing: closings['all']!.closing_id, until_closing: again.closing_id });
  expect(since.map(({ entity_id, tenant }) => [tenant, entity_id])).toEqual([[ONE, entity]]);
  expect(await walk(blue, 'corrections', { closing: closings['blue']!.closing_id, until_closing: again.closing_id })).toEqual(since);
  const upTo = async (name: string) =>
    offenders(
      await blue.get(`${CHARGES}corrections`).query({ closing: closings['blue']!.closing_id, until_closing: closings[name]!.closing_id }),
    );
  for (const name of ['red', 'two']) expect([name, await upTo(name)]).toEqual([name, ['until_closing']]);
});

test('the record decides at once: an ISP that no longer has the tenant sees nothing, and the new one sees everything', async () => {
  const one = operators.get(ONE)!;
  const partner = partners[`${ONE} ${RED}`]!;
  const name = `${ONE} ${RED}`;
  const [red, green] = [await ispClient(RED), await ispClient('isp.green')];
  expect((await walk(red, '', JANUARY)).length).toBeGreaterThan(0);
  expect((await one.isps.put(partner, { name, isp_tenant: 'isp.green' })).body).toMatchObject({ isp_tenant: 'isp.green' });
  expect([await walk(red, '', JANUARY), await walk(red, 'closings', {})]).toEqual([[], []]);
  expect((await walk(green, '', JANUARY)).every(({ partner_id }) => partner_id === partner)).toBe(true);
  expect((await walk(green, '', JANUARY)).length).toBeGreaterThan(0);
  expect((await one.isps.put(partner, { name })).body.isp_tenant).toBeUndefined();
  expect(await walk(green, '', JANUARY)).toEqual([]);
  await one.isps.put(partner, { name, isp_tenant: RED });
});

test('an isp_tenant is unique within tenant and namespace, and has the form of a tenant', async () => {
  const { isps } = operators.get(ONE)!;
  const taken = await isps.post({ name: 'another', isp_tenant: BLUE });
  expect([taken.status, taken.body.code, taken.body.conflicts_with]).toEqual([
    409,
    'isp-tenant-taken',
    [{ partner_id: partners[`${ONE} ${BLUE}`] }],
  ]);
  for (const isp_tenant of ['', 'Blue', '-a', 'a b', 'a'.repeat(64), 1]) {
    const response = await isps.post({ name: 'another', isp_tenant });
    expect([isp_tenant, response.status, offenders(response)]).toEqual([isp_tenant, 422, ['#/isp_tenant']]);
  }
  const partner = partners[`${ONE} ${BLUE}`]!;
  const [before, same] = [
    await isps.get(`${partner}/`),
    await isps.put(partner, {
      ...(await isps.get(`${partner}/`)).body,
      tenant: undefined,
      partner_id: undefined,
      created_at: undefined,
      created_by: undefined,
      modified_at: undefined,
      modified_by: undefined,
    } as never),
  ];
  expect([same.status, same.headers['etag']]).toEqual([200, before.headers['etag']]);
});

test("an ISP's token opens no other route, an operator's token none of these, and a namespace is refused", async () => {
  const [isp, operator] = [await ispClient(BLUE), await service.as({ ...READ_WRITE, tenant: ONE })];
  const routes = declaredRoutes(service.app).filter(({ isPublic }) => !isPublic);
  for (const { method, path } of routes) {
    const url = path.replaceAll(/:\w+/g, newEntity());
    const isOwn = path.startsWith(CHARGES.slice(0, -1));
    const verb = method.toLowerCase() as 'get';
    const [asIsp, asOperator] = [await isp[verb](url).query(JANUARY), await operator[verb](url)];
    // Both have webhooks, each for its own feed.
    if (path.startsWith('/api/v2/sys/webhooks')) continue;
    if (isOwn) expect([path, asOperator.status, asOperator.body.code]).toEqual([path, 403, 'scope-missing']);
    else expect([path, asIsp.status, asIsp.body.code]).toEqual([path, 403, 'scope-missing']);
  }
  const own = routes.filter(({ path }) => path.startsWith(CHARGES.slice(0, -1)));
  expect(own.map(({ method }) => method)).toEqual(Array.from({ length: 8 }, () => 'GET'));
  for (const { path } of own)
    expect([path, offenders(await isp.get(path).set('namespace', 'test').query({ closing: closings['blue']!.closing_id }))]).toEqual([
      path,
      expect.arrayContaining(['namespace']),
    ]);
  expect((await operator.get(ISPS)).status).toBe(200);
});
