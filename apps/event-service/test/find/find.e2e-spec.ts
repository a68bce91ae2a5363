import {
  activation,
  deactivation,
  ENTITIES,
  type Events,
  newEntity,
  newTenant,
  notification,
  PARTNER,
  startEvents,
  update,
} from '../events/events.js';

const FIND = '/api/v2/sys/find/';

type Tenant = Awaited<ReturnType<typeof newTenant>>;
type Found = Readonly<Record<'kind' | 'id' | 'label' | 'matched', string>>;

let events: Events;
let tenant: Tenant;

beforeAll(async () => void (events = await startEvents({ NAMESPACES_ENABLED: 'true' })));
beforeEach(async () => void (tenant = await newTenant(events.service)));
afterAll(() => events.service.close());

const find = async (q: string, { client } = tenant): Promise<Found[]> => (await client.get(FIND).query({ q }).expect(200)).body as Found[];
const line = (entity: string, option82: string, more: object = {}) =>
  activation(entity, 1, { sys_attributes: { partner_id: PARTNER, article_codes: ['A'], option82, ...more } });

test('finds entities by the lines that run or have ended, and ISPs by their names, whatever the case', async () => {
  const [running, ended, moved] = [newEntity(), newEntity(), newEntity()];
  await tenant.record(line(running, 'eth 0/1/7:100', { partner_reference: 'ETH-9' }), line(ended, 'ETH 0/1/7:101'), deactivation(ended, 2));
  await tenant.record(line(moved, 'eth 0/1/7:102'), update(moved, 2, { sys_attributes: { article_codes: ['A'], option82: 'other' } }));
  const { body: isp } = await tenant.client.post('/api/v2/sys/isps/').send({ name: 'Ethernet GmbH' });
  const entity = (id: string, label: string) => ({ kind: 'entity', id, label, matched: 'option82' });
  expect(await find('eth 0/1/7')).toEqual([
    entity(running, 'eth 0/1/7:100'),
    entity(ended, 'ETH 0/1/7:101'),
    entity(moved, 'eth 0/1/7:102'),
  ]);
  expect(await find('eth 0/1/7:102')).toEqual([entity(moved, 'eth 0/1/7:102')]);
  expect(await find('other')).toEqual([entity(moved, 'other')]);
  expect(await find('eth-9')).toEqual([{ kind: 'entity', id: running, label: 'ETH-9', matched: 'partner_reference' }]);
  const named = { kind: 'isp', id: isp.partner_id as string, label: 'Ethernet GmbH' };
  expect(await find('ether')).toEqual([{ ...named, matched: 'name' }]);
  expect(await find(named.id)).toEqual([{ ...named, matched: 'partner_id' }]);
});

test('finds entities and events by the beginning or the end of their ids', async () => {
  const entity = newEntity();
  const [event] = await tenant.record(activation(entity, 1));
  const found = { kind: 'entity', id: entity, label: entity, matched: 'entity_id' };
  for (const q of [entity, entity.toUpperCase(), entity.slice(0, 18), entity.slice(0, 30), entity.slice(-8), entity.slice(-12)])
    expect([q, await find(q)]).toEqual([q, [found]]);
  expect(await find(entity.slice(0, 17))).toEqual([]);
  expect(await find(entity.slice(-7))).toEqual([]);
  expect(await find(entity.replaceAll('-', '').slice(0, 12))).toEqual([]);
  for (const q of [event!, event!.slice(-8)])
    expect(await find(q)).toEqual([{ kind: 'event', id: event, label: entity, matched: 'event_id' }]);
});

test('finds entities by your reference of an event, and closings by theirs', async () => {
  const entity = newEntity();
  await tenant.record(activation(entity, 1, { usr_reference: 'Order 4711' }));
  expect(await find('order 47')).toEqual([{ kind: 'entity', id: entity, label: 'Order 4711', matched: 'usr_reference' }]);
  const closing = { from: '2026-01-01', to: '2026-02-01', reference: 'RE-2026-01' };
  const { body } = await tenant.client.post('/api/v2/sys/closings/').send(closing).expect(201);
  expect(await find('re-2026')).toEqual([{ kind: 'closing', id: body.closing_id as string, label: 'RE-2026-01', matched: 'reference' }]);
});

test('finds ISPs by each word of their name', async () => {
  const { body } = await tenant.client.post('/api/v2/sys/isps/').send({ name: 'Mur-Internet GmbH' }).expect(201);
  for (const q of ['mur', 'internet', 'gmbh']) expect((await find(q)).map(({ id }) => id)).toEqual([body.partner_id]);
  expect(await find('nternet')).toEqual([]);
});

test('an entity whose events repeat a line many times does not hide others, and notifications have no line', async () => {
  const [busy, other, announced] = [newEntity(), newEntity(), newEntity()];
  const option82 = 'port 1';
  await tenant.record(line(busy, option82));
  for (let day = 2; day < 20; day++) await tenant.record(update(busy, day, { sys_attributes: { article_codes: ['A'], option82 } }));
  await tenant.record(line(other, 'Port 1/2'), notification(announced, 1, { sys_attributes: { option82: 'port 1/3' } }));
  expect((await find('port 1')).map(({ id }) => id)).toEqual([busy, other]);
});

test('nothing is found of an erased line, of another tenant or of another namespace', async () => {
  const entity = newEntity();
  await tenant.record(line(entity, 'secret line', { partner_reference: 'secret order' }), deactivation(entity, 2));
  expect(await find('secret')).toHaveLength(1);
  const elsewhere = await newTenant(events.service);
  for (const q of ['secret', entity]) {
    expect(await find(q, elsewhere)).toEqual([]);
    expect((await tenant.client.get(FIND).query({ q }).set('namespace', 'test').expect(200)).body).toEqual([]);
  }
  const { tenant: name } = (await tenant.entities(entity)).body as { tenant: string };
  const eraser = await events.service.as({ tenant: name, scope: 'events:erase' });
  await eraser.delete(`${ENTITIES}${entity}/personal-data`).query({ line: 'true' }).expect(204);
  expect(await find('secret')).toEqual([]);
  // A repeat does not bring it back.
  await tenant.put(line(entity, 'secret line', { partner_reference: 'secret order' }));
  expect(await find('secret')).toEqual([]);
  expect(await find(entity)).toHaveLength(1);
});
