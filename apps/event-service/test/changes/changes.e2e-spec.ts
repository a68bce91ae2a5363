import { CHANGE_FEEDS, type ListedFeed } from '@fibre/changes';
import { type FeedItem, Follower, type TestService } from '@fibre/testing';
import {
  activation,
  deactivation,
  EVENTS,
  newEntity,
  newTenant,
  notification,
  offenders,
  requestsOf,
  startEvents,
} from '../events/events.js';
import { nextOf } from '../service/pages.js';

const CHANGES = `${EVENTS}changes/`;
let service: TestService;

beforeAll(async () => {
  ({ service } = await startEvents());
});
afterAll(() => service.close());

const shown = (items: readonly FeedItem[]) => items.map(({ change, event }) => [change, event!['event_id']]);

test('a walk shows every event once, at the position of its last change, and then new and overwritten events', async () => {
  const { client, get, put, record } = await newTenant(service);
  const entity = newEntity();
  const [first, second] = await record(activation(entity, 1), notification(entity, 2, { comment: 'a' }));
  await put(activation(entity, 1, { comment: 'overwritten' }));
  const follower = new Follower(client, `${CHANGES}?_page_size=1`);
  const items = await follower.catchUp();
  expect(shown(items)).toEqual([
    ['created', second],
    ['overwritten', first],
  ]);
  expect(items.map(({ event }) => event)).toEqual([(await get(`${second}/`)).body, (await get(`${first}/`)).body]);

  // A repeat changes nothing.
  await put(notification(entity, 2, { comment: 'a' }));
  const [third] = await record(deactivation(entity, 3));
  await put(notification(entity, 2));
  expect(shown(await follower.catchUp())).toEqual([
    ['created', third],
    ['overwritten', second],
  ]);
  expect([...follower.copy.values()].sort((a, b) => (a['event_id']! < b['event_id']! ? -1 : 1))).toEqual((await get()).body);
});

test('filters work, alone and in combination', async () => {
  const { client, record } = await newTenant(service);
  const [one, two] = [newEntity(), newEntity()];
  const made = await record(activation(one, 1), notification(two, 1), deactivation(one, 2), notification(one, 3), activation(two, 4));
  const found = async (query: string) => {
    const items = await new Follower(client, `${CHANGES}?_page_size=2&${query}`).catchUp();
    return items.map(({ event }) => made.indexOf(event!['event_id']!));
  };
  expect(await found('')).toEqual([0, 1, 2, 3, 4]);
  expect(await found(`entity_id=${one.toUpperCase()}`)).toEqual([0, 2, 3]);
  expect(await found('event_type=notification')).toEqual([1, 3]);
  expect(await found('event_type=update')).toEqual([]);
  expect(await found(`entity_id=${two}&event_type=activation`)).toEqual([4]);
  const refused = await client.get(`${CHANGES}?entity_id=1&event_type=other&token=fresh&since=2026-01-01`);
  expect([refused.status, offenders(refused).sort()]).toEqual([422, ['entity_id', 'event_type', 'since', 'token']]);
});

test('each namespace and tenant has its own feed, and any `since` is allowed', async () => {
  const { client, record } = await newTenant(service);
  const [production] = await record(notification(newEntity(), 1));
  const { record: recordInTest } = requestsOf(client, { namespace: 'test' });
  const [inTest] = await recordInTest(notification(newEntity(), 1));
  await new Follower(client, CHANGES).catchUp();
  const ids = async (headers: Record<string, string>, by = client) => {
    const page = await by.get(`${CHANGES}?since=0001-01-01T00:00:00Z`).set(headers);
    return (page.body as FeedItem[]).map(({ event }) => event!['event_id']);
  };
  expect([await ids({}), await ids({ namespace: 'test' }), await ids({ namespace: 'none' })]).toEqual([[production], [inTest], []]);
  expect(await ids({}, (await newTenant(service)).client)).toEqual([]);
});

test('a page has the headers of a feed, and links that only work for this listing', async () => {
  const { client, record } = await newTenant(service);
  await record(notification(newEntity(), 1));
  const page = await client.get(CHANGES.slice(0, -1));
  expect(page.headers).toMatchObject({ 'x-page-size': '500', 'x-settled-until': expect.stringMatching(/^[\d-]+T[\d:]+\.\d{3}\+00:00$/) });
  expect(page.headers).not.toHaveProperty('x-page-count');
  const cursor = new URL(nextOf(page)!).searchParams.get('_page_cursor')!;
  for (const [path, headers] of [
    [EVENTS, {}],
    [CHANGES, { namespace: 'test' }],
    [`${CHANGES}?event_type=update`, {}],
  ] as const) {
    const refused = await client.get(path).query({ _page_cursor: cursor }).set(headers);
    expect([refused.status, ...offenders(refused)]).toEqual([422, '_page_cursor']);
  }
  for (const method of ['post', 'put', 'patch', 'delete'] as const) {
    const refused = await client[method](CHANGES).send({});
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD']);
  }
});

test('a page has at most 8 MiB, and the walk continues after it', async () => {
  const { client, record } = await newTenant(service);
  const usr_attributes = { text: 'ö'.repeat(8_000) };
  const made = await record(...Array.from({ length: 600 }, () => notification(newEntity(), 1, { usr_attributes })));
  const follower = new Follower(client, `${CHANGES}?_page_size=2000`);
  await follower.catchUp();
  expect(follower.seen.map(({ event }) => event!['event_id'])).toEqual(made);
  const first = await client.get(`${CHANGES}?_page_size=2000`);
  expect(Number(first.headers['content-length'])).toBeLessThanOrEqual(8 * 1024 * 1024);
  expect((first.body as unknown[]).length).toBeLessThan(made.length);
});

test('other code in the service can read a feed from a given position, with each item exactly as the API returns it', async () => {
  const { client, put, record } = await newTenant(service);
  const feed = service.app.get<ReadonlyMap<string, ListedFeed>>(CHANGE_FEEDS).get('events')!;
  const since = new Date();
  const { body } = await put(notification(newEntity(), 1, { comment: 'ö' }));
  const [second] = await record(notification(newEntity(), 2));
  await new Follower(client, CHANGES).catchUp();
  const owner = { tenant: body.tenant as string };
  const page = await feed.read(owner, {}, feed.startingAt(since), 1);
  expect([page.items.map(({ id, change }) => [id, change]), page.isEnd]).toEqual([[[body.event_id, 'created']], false]);
  expect(page.items[0]!.changed_at).toBe(body.modified_at);
  expect(page.items[0]!.json).toBe(`{"change":"created","changed_at":"${body.modified_at}","event":${JSON.stringify(body)}}`);
  const last = await feed.read(owner, {}, page.next, 100);
  expect([last.items.map(({ id }) => id), last.isEnd]).toEqual([[second], true]);
  expect(await feed.read(owner, {}, last.next, 100)).toMatchObject({ items: [], isEnd: true });
  expect(feed.startingAt(since)).toHaveLength(56);
});
