import { Follower, type FeedItem, type TestService, until, WebhookReceiver } from '@fibre/testing';
import { SETTLED_SOON } from '../billing/periods.js';
import { deactivation, newEntity, notification, offenders, startEvents, update } from '../events/events.js';
import { activated, ispOf, LINES, linesOf, operatorOf, storedOf } from './lines.js';

const CHANGES = `${LINES}changes/`;
const WEBHOOKS = '/api/v2/sys/webhooks/';

let service: TestService;
let number = 0;

beforeAll(async () => {
  ({ service } = await startEvents({ ...SETTLED_SOON, NAMESPACES_ENABLED: 'true' }));
});
afterAll(() => service.close());

/** Two ISPs at two operators, and followers of the feed of each. */
async function newWorld() {
  const world = ++number;
  const [blueTenant, redTenant] = [`isp.blue${world}`, `isp.red${world}`];
  const [one, two] = [await operatorOf(service, `ano.one${world}`), await operatorOf(service, `ano.two${world}`)];
  const clients = { blue: await ispOf(service, blueTenant), red: await ispOf(service, redTenant) };
  const partners = {
    one: { blue: await one.register(blueTenant), red: await one.register(redTenant) },
    two: { blue: await two.register(blueTenant), red: await two.register(redTenant) },
  };
  const followers = {
    blue: new Follower(clients.blue, `${CHANGES}?_page_size=2`),
    red: new Follower(clients.red, `${CHANGES}?_page_size=2`),
  };
  /** What both hear, once they have everything that was recorded so far. */
  const heard = async () => {
    const [blue, red] = await Promise.all([followers.blue.catchUp(), followers.red.catchUp()]);
    return { blue: shown(blue), red: shown(red) };
  };
  await heard();
  return { one, two, ...clients, partners, followers, heard, blueTenant, redTenant };
}

const shown = (items: readonly FeedItem[]) => items.map(({ change, line }) => [change, line!['entity_id'], line!['option82']]);
const nothing = { blue: [], red: [] };

test('of a line that moves, the one ISP hears of its end and the other of its beginning, and neither of what is not its own', async () => {
  const { one, blue, red, partners, followers, heard } = await newWorld();
  const entity = newEntity();
  const user = { usr_reference: 'secret', comment: 'secret' };
  await one.record(
    activated(entity, partners.one.blue, 2, { option82: 'port', partner_reference: 'B-1' }, user),
    notification(entity, 3, user),
  );
  expect(await heard()).toEqual({ blue: [['upserted', entity, 'port']], red: [] });
  const [item] = followers.blue.seen;
  const [line] = await linesOf(blue);
  expect(item).toEqual({ change: 'upserted', changed_at: expect.any(String), line });

  await one.record(deactivation(entity, 10, user));
  expect(await heard()).toEqual({ blue: [['ended', entity, 'port']], red: [] });
  const ended = followers.blue.seen.at(-1)!;
  const { since: _since, article_codes: _codes, ...last } = line!;
  expect(ended).toEqual({ change: 'ended', changed_at: expect.any(String), line: { ...last, ended_at: '2026-01-10T11:00:00.000+00:00' } });

  await one.record(activated(entity, partners.one.red, 12, { option82: 'port', partner_reference: 'R-1' }), update(entity, 13, user));
  expect(await heard()).toEqual({ blue: [], red: [['upserted', entity, 'port']] });
  await one.record(update(entity, 14, { sys_attributes: { article_codes: ['FIBRE-500'], option82: 'other' } }), notification(entity, 15));
  await one.record(deactivation(entity, 20));
  expect(await heard()).toEqual({ blue: [], red: [['ended', entity, 'other']] });
  expect(JSON.stringify([followers.blue.seen, followers.red.seen])).not.toContain('secret');
  expect(JSON.stringify(followers.blue.seen)).not.toMatch(new RegExp(`R-1|other|${partners.one.red}`));
  expect(JSON.stringify(followers.red.seen)).not.toMatch(new RegExp(`B-1|${partners.one.blue}`));
  // Whoever starts later hears the same of each line, at the same time.
  const again = await new Follower(blue, `${CHANGES}?since=2026-01-01T00:00:00Z`).catchUp();
  expect(again).toEqual([ended]);
  expect(await new Follower(red, CHANGES).catchUp()).toEqual([]);

  // What is recorded late of the first subscription changes what its ISP sees of its end, even though another one has ended since.
  await one.record(update(entity, 9, { sys_attributes: { article_codes: ['FIBRE-100'], option82: 'late' } }));
  expect(await heard()).toEqual({ blue: [['ended', entity, 'late']], red: [] });

  // The line comes back, and two subscriptions end within one page.
  await one.record(activated(entity, partners.one.blue, 22));
  expect(await heard()).toEqual({ blue: [['upserted', entity, undefined]], red: [] });
});

test('only what an ISP sees of a line moves it', async () => {
  const { one, partners, heard, followers } = await newWorld();
  const entity = newEntity();
  const first = activated(entity, partners.one.blue, 2, { option82: 'a' });
  await one.record(first);
  await heard();
  const [{ changed_at }] = followers.blue.seen as [FeedItem];
  await one.record(
    notification(entity, 3, { sys_attributes: { option82: 'n' } }),
    update(entity, 5, { sys_attributes: { article_codes: ['FIBRE-100'], option82: 'a' } }),
  );
  await one.put({ ...first, comment: 'overwritten' });
  expect(await heard()).toEqual(nothing);
  // An earlier value that a later event has replaced.
  await one.record(update(entity, 4, { sys_attributes: { article_codes: ['X'], option82: 'late' } }));
  expect(await heard()).toEqual(nothing);
  await one.record(update(entity, 6, { sys_attributes: { article_codes: ['FIBRE-100', 'TV'] } }));
  await heard();
  expect(followers.blue.seen.at(-1)!.changed_at > changed_at).toBe(true);
  await one.record(update(entity, 7, { sys_attributes: { article_codes: ['FIBRE-100', 'TV'], partner_reference: 'R' } }));
  expect((await heard()).blue).toEqual([['upserted', entity, 'a']]);
  expect(followers.blue.seen.at(-1)!.line).toMatchObject({ partner_reference: 'R' });

  // Of a line that has ended, its last values count.
  await one.record(deactivation(entity, 10));
  expect((await heard()).blue).toEqual([['ended', entity, 'a']]);
  await one.record(
    update(entity, 4, { event_at: '2026-01-04T13:00:00+01:00', sys_attributes: { article_codes: ['X'], option82: 'late' } }),
  );
  await one.record(update(entity, 9, { sys_attributes: { article_codes: ['X'], option82: 'a' } }));
  expect(await heard()).toEqual(nothing);
  await one.record(update(entity, 8, { sys_attributes: { article_codes: ['X'], partner_reference: 'P' } }));
  expect((await heard()).blue).toEqual([['ended', entity, 'a']]);
  expect(followers.blue.seen.at(-1)!.line).toMatchObject({ partner_reference: 'P', ended_at: '2026-01-10T11:00:00.000+00:00' });
  // An earlier subscription than the last one is no longer shown.
  await one.record(activated(entity, partners.one.blue, 12));
  await heard();
  await one.record(update(entity, 9, { event_at: '2026-01-09T14:00:00+01:00', sys_attributes: { article_codes: ['X'], option82: 'z' } }));
  expect(await heard()).toEqual(nothing);
});

test('lines appear when an operator gives them to a tenant, and end when it takes them away', async () => {
  const { one, two, blue, partners, heard, blueTenant, redTenant } = await newWorld();
  const [running, ended, elsewhere] = [newEntity(), newEntity(), newEntity()];
  const name = 'given';
  const partner = (await one.isps.post({ name })).body.partner_id as string;
  await one.record(
    activated(running, partner, 2, { option82: 'r' }),
    activated(ended, partner, 2, { option82: 'e' }),
    deactivation(ended, 3),
  );
  await two.record(activated(elsewhere, partners.two.blue, 2, { option82: 'x' }));
  expect(await heard()).toEqual({ blue: [['upserted', elsewhere, 'x']], red: [] });
  const give = async (isp_tenant?: string) =>
    expect((await one.isps.put(partner, { name, ...(isp_tenant && { isp_tenant }) })).status).toBe(200);

  // The tenant belongs to another record, until that one gives it up.
  await one.isps.put(partners.one.blue, { name: 'was blue' });
  await give(blueTenant);
  expect((await heard()).blue.sort()).toEqual([['upserted', running, 'r']]);
  expect((await linesOf(blue)).map(({ entity_id }) => entity_id).sort()).toEqual([running, elsewhere].sort());

  await one.isps.put(partners.one.red, { name: 'was red' });
  await give(redTenant);
  const moved = await heard();
  expect(moved.blue.filter(([, entity]) => entity === running)).toEqual([['ended', running, undefined]]);
  expect(moved.red).toEqual([['upserted', running, 'r']]);
  // What happens now is the other tenant's business.
  await one.record(update(running, 4, { sys_attributes: { article_codes: ['A'], option82: 's' } }), activated(newEntity(), partner, 5));
  const later = await heard();
  expect([later.blue, later.red.length]).toEqual([[], 2]);
  await give();
  expect((await heard()).red.filter(([change]) => change === 'ended').length).toBeGreaterThanOrEqual(2);
  await give(blueTenant);
  expect((await heard()).blue.filter(([change]) => change === 'upserted').length).toBe(2);
  expect((await linesOf(blue)).length).toBe(3);
});

test('a removed ISP learns nothing more, also if it reads from the beginning', async () => {
  const { one, blue, partners, heard } = await newWorld();
  const entity = newEntity();
  await one.record(activated(entity, partners.one.blue, 2, { option82: 'before' }));
  await heard();
  await one.isps.put(partners.one.blue, { name: 'removed' });
  await heard();
  const fromStart = async () => new Follower(blue, `${CHANGES}?since=2026-01-01T00:00:00Z`).catchUp();
  const before = await fromStart();
  expect(before.map(({ change, line }) => [change, line])).toEqual([
    ['ended', { ...before[0]!.line, entity_id: entity, tenant: one.tenant, ended_at: before[0]!.changed_at }],
  ]);
  await one.record(
    deactivation(entity, 3),
    activated(entity, partners.one.blue, 4, { option82: 'after' }),
    activated(newEntity(), partners.one.blue, 4),
  );
  expect(await fromStart()).toEqual(before);
});

test('erasure moves the lines that had a value, and no value is left', async () => {
  const { one, partners, followers, heard } = await newWorld();
  const [entity, plain] = [newEntity(), newEntity()];
  const line = { option82: 'port of Maria', partner_reference: 'order of Maria' };
  await one.record(activated(entity, partners.one.blue, 2, line), deactivation(entity, 4), activated(entity, partners.one.red, 6, line));
  await one.record(activated(plain, partners.one.blue, 2));
  await heard();
  await one.erase(entity, { line: 'false' });
  await one.erase(plain);
  expect(await heard()).toEqual(nothing);
  await one.erase(entity);
  expect(await heard()).toEqual({ blue: [['ended', entity, undefined]], red: [['upserted', entity, undefined]] });
  for (const { seen } of Object.values(followers)) expect(JSON.stringify(seen.at(-1))).not.toContain('Maria');
  expect(await storedOf(service, one.tenant, 'line_change', 'timeline', 'event')).not.toContain('Maria');
  await one.erase(entity);
  expect(await heard()).toEqual(nothing);
});

test('equal entities of two operators are two lines, on pages of any size', async () => {
  const { one, two, blue, partners } = await newWorld();
  const entities = Array.from({ length: 5 }, newEntity);
  for (const entity of entities) {
    await one.record(activated(entity, partners.one.blue, 2));
    await two.record(activated(entity, partners.two.blue, 2));
  }
  for (const size of [1, 3, 500]) {
    const follower = new Follower(blue, `${CHANGES}?_page_size=${size}`);
    await follower.catchUp();
    expect([size, follower.copy.size, follower.seen.length]).toEqual([size, 10, 10]);
    expect([...follower.copy.values()].sort((a, b) => (a['line_id']! < b['line_id']! ? -1 : 1))).toEqual(
      (await linesOf(blue)).sort((a, b) => (a.line_id < b.line_id ? -1 : 1)),
    );
  }
});

test('namespaces have no feed, and only an ISP has one', async () => {
  const { one, blue, partners } = await newWorld();
  await one.client
    .put('/api/v2/sys/events/')
    .set('namespace', 'test')
    .send(activated(newEntity(), partners.one.blue, 2))
    .expect(201);
  expect(await new Follower(blue, CHANGES).catchUp()).toEqual([]);
  expect(offenders(await blue.get(CHANGES).set('namespace', 'test').query({ entity_id: newEntity() })).sort()).toEqual([
    'entity_id',
    'namespace',
  ]);
  expect((await one.client.get(CHANGES)).body.code).toBe('scope-missing');
  expect(await new Follower(await ispOf(service, 'isp.nobody'), CHANGES).catchUp()).toEqual([]);
});

test('a webhook tells an ISP of a line that it lost, and is its own affair', async () => {
  const receiver = await new WebhookReceiver().start();
  const { one, blue, partners, heard } = await newWorld();
  const entity = newEntity();
  await one.record(activated(entity, partners.one.blue, 2, { option82: 'port' }));
  await heard();
  const url = receiver.urlOf();
  const created = await blue.post(WEBHOOKS).send({ url, feed: 'lines' });
  expect([created.status, created.body.feed]).toEqual([201, 'lines']);
  receiver.secrets.push(created.body.secret as string);
  await one.record(deactivation(entity, 10), activated(entity, partners.one.red, 12));
  await until('the end of the line', () => receiver.events.length > 0);
  expect(receiver.faults()).toEqual([]);
  expect(receiver.events).toEqual([
    expect.objectContaining({
      type: 'open-access-fibre.lines.ended',
      source: CHANGES,
      data: expect.objectContaining({ line: expect.objectContaining({ entity_id: entity, option82: 'port' }) }),
    }),
  ]);
  expect(receiver.events[0]!.subject).toMatch(/^[0-9a-f-]{36}$/);

  const refused = await blue.post(WEBHOOKS).send({ url, feed: 'lines', entity_id: entity, event_type: 'update' });
  expect([refused.status, offenders(refused).sort()]).toEqual([422, ['#/entity_id', '#/event_type']]);
  expect((await blue.post(WEBHOOKS).send({ url, feed: 'events' })).body.code).toBe('scope-missing');
  expect((await one.client.post(WEBHOOKS).send({ url, feed: 'lines' })).body.code).toBe('scope-missing');
  const path = `${WEBHOOKS}${created.body.webhook_id}/`;
  expect((await one.client.get(path)).status).toBe(404);
  expect((await (await service.as({ tenant: created.body.tenant as string, scope: 'events:read events:write' })).get(path)).status).toBe(
    403,
  );
  expect((await blue.get(WEBHOOKS)).body).toHaveLength(1);
  await blue.delete(path).expect(204);
  await receiver.stop();
});
