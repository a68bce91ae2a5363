import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import { Follower, startServiceProcess, startTestService, TEST_AUDIENCE, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { ChangesCleanUp } from '../../src/node-changes/changes-clean-up.js';
import { ALL_SCOPES, type Client, create, NODES, operator, SEARCH } from '../access-nodes/access-nodes.js';
import { sql, untilBlocked } from '../database/sql.js';
import { IMPORT, importFile } from '../node-import/imports.js';

const [CHANGES, SEARCH_CHANGES] = [`${NODES}changes/`, `${SEARCH}changes/`];
/** Whoever works for this tenant can be held. */
const HELD = 'ano.held';
/** Key of the lock for which each write of a held node waits. */
const HOLD = 731;
/** Key of the lock for which each publication waits. */
const PUBLISH = 732;

let service: TestService;
let held: Client;
let other: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  [held, other] = await Promise.all([operator(service, HELD), operator(service, 'ano.other')]);
  for (const statement of [
    `create function hold() returns trigger language plpgsql as $$
     begin
       if coalesce(new.tenant, old.tenant) = '${HELD}' then perform pg_advisory_xact_lock_shared(${HOLD}); end if;
       return null;
     end $$`,
    'create trigger hold after insert or update or delete on access_node for each row execute function hold()',
    `create function hold_publication() returns trigger language plpgsql as $$
     begin perform pg_advisory_xact_lock_shared(${PUBLISH}); return null; end $$`,
    'create trigger hold before update on publication for each statement execute function hold_publication()',
  ])
    await sql(service.databaseUrl, statement);
});
afterAll(() => service.close());

const file = (relation_id: string, references = ['one', 'two']): string =>
  ['relation_id,token,latitude,longitude,customer_reference', ...references.map((name) => `${relation_id},planned,48,16,${name}`)].join(
    '\n',
  );

/** Bulk work on a relation with the production node "one" and the pre-production nodes "one" and "two", and the feed's copy afterwards. */
const WORK: [string, (relation_id: string) => Promise<{ status: number }>, string[]][] = [
  ['an import', (relation_id) => importFile(held, file(relation_id, ['one', 'three'])), ['one', 'three']],
  [
    'an import that deletes',
    (relation_id) => importFile(held, file(relation_id, ['three']), { query: { relation_id, absent: 'delete', max_deleted: '10' } }),
    ['three'],
  ],
  ['a merge', async (relation_id) => held.put(NODES).query({ relation_id }), ['one', 'two']],
  ['a deletion', async (relation_id) => held.delete(NODES).query({ relation_id }), []],
];

test.each(WORK)('while %s takes long, no feed is held back; then the feeds show all of it', async (_name, work, references) => {
  const relation_id = randomUUID();
  await create(held, { relation_id, customer_reference: 'one' });
  for (const customer_reference of ['one', 'two']) await create(held, { relation_id, customer_reference, token: 'operation' }, 'prenodes');
  const isp = await service.as({ tenant: null, scope: 'coverage:search' });
  const own = new Follower(held, `${CHANGES}?relation_id=${relation_id}`);
  const search = new Follower(isp, `${SEARCH_CHANGES}?relation_id=${relation_id}`);
  const others = new Follower(other, CHANGES);
  await Promise.all([own, search, others].map((follower) => follower.catchUp()));

  const done = await withClient(service.databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [HOLD]);
    const working = work(relation_id);
    await untilBlocked(service.databaseUrl, 1);
    // A follower catches up only if the settled time moves on.
    const { node_id } = await create(other);
    const [ownItems, searchItems, otherItems] = await Promise.all([own, search, others].map((follower) => follower.catchUp()));
    expect([ownItems, searchItems]).toEqual([[], []]);
    expect(otherItems!.map(({ node }) => node!['node_id'])).toEqual([node_id]);
    await untilBlocked(service.databaseUrl, 1);
    await client.query('select pg_advisory_unlock($1)', [HOLD]);
    return working;
  });

  expect(done.status).toBeLessThan(300);
  await Promise.all([own, search].map((follower) => follower.catchUp()));
  const listed = await held.get(NODES).query({ relation_id, target: 'nodes' });
  expect([...own.copy.values()].map((node) => node['customer_reference']).sort()).toEqual(references);
  expect([...own.copy.values()].sort(byId)).toEqual(listed.body);
  expect([...search.copy.keys()].sort()).toEqual([...own.copy.keys()].sort());
  // Whoever starts later gets the same.
  const late = new Follower(held, `${CHANGES}?relation_id=${relation_id}&_page_size=1`);
  await late.catchUp();
  expect([...late.copy.values()].sort(byId)).toEqual(listed.body);
});

const byId = (a: Record<string, string>, b: Record<string, string>): number => (a['node_id']! < b['node_id']! ? -1 : 1);

test('pages divide bulk work of the same millisecond, and a node that changes again appears later', async () => {
  const ano = await operator(service, `ano.t${randomUUID()}`);
  const follower = new Follower(ano, `${CHANGES}?_page_size=2`);
  await follower.catchUp();
  const references = Array.from({ length: 5 }, (_, index) => `ref${index}`);
  await importFile(ano, file(randomUUID(), references));
  await importFile(ano, file(randomUUID(), references));
  // Both may have been published in the same millisecond.
  await sql(service.databaseUrl, `update publication set published_at = (select max(published_at) from publication)`);
  const items = await follower.catchUp();
  expect(new Set(items.map(({ changed_at }) => changed_at)).size).toBe(1);
  expect(follower.copy.size).toBe(10);

  const { node_id } = items[3]!.node!;
  await ano.patch(`${NODES}${node_id}`).send({ status: 'suspended' }).expect(200);
  await ano.delete(`${NODES}${items[4]!.node!['node_id']}`).expect(204);
  expect((await follower.catchUp()).map(({ change, node }) => [change, node!['node_id']])).toEqual([
    ['upserted', node_id],
    ['deleted', items[4]!.node!['node_id']],
  ]);
  const late = new Follower(ano, `${CHANGES}?_page_size=3`);
  expect((await late.catchUp()).at(-1)!.node!['node_id']).toBe(node_id);
  expect(late.copy).toEqual(follower.copy);
});

test('a page that begins within bulk work goes on with later bulk work on older nodes', async () => {
  const ano = await operator(service, `ano.t${randomUUID()}`);
  const older = file(randomUUID());
  for (const each of [older, file(randomUUID()), older.replaceAll('planned', 'operation')])
    expect((await importFile(ano, each)).status).toBe(200);
  for (const size of [1, 2, 3]) {
    const follower = new Follower(ano, `${CHANGES}?_page_size=${size}`);
    const items = await follower.catchUp();
    expect([size, items.map(({ node }) => node!['token'])]).toEqual([size, ['planned', 'planned', 'operation', 'operation']]);
  }
});

test('what a service wrote in bulk before it was killed is in the feeds of the next one', async () => {
  const tenant = `ano.t${randomUUID()}`;
  const ano = await operator(service, tenant);
  const follower = new Follower(ano, CHANGES);
  await follower.catchUp();
  const dying = await startServiceProcess('coverage-service', {
    DATABASE_URL: service.databaseUrl,
    OAUTH_ISSUER: service.issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
  });
  const authorization = `Bearer ${await service.issuer.token({ tenant, scope: ALL_SCOPES })}`;
  await withClient(service.databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [PUBLISH]);
    const sending = fetch(`${dying.url}${IMPORT}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'text/csv' },
      body: file(randomUUID()),
    });
    const answer = sending.catch(() => 'no answer');
    await untilBlocked(service.databaseUrl, 1);
    await dying.kill();
    expect(await answer).toBe('no answer');
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  });
  const published = () => sql(service.databaseUrl, 'select published_at from publication where tenant = $1', [tenant]);
  expect(await published()).toEqual([{ published_at: null }]);
  // The first reading publishes the work, after the beginning of this call.
  await follower.catchUp();
  await follower.catchUp();
  expect(follower.copy.size).toBe(2);
  expect(await published()).toEqual([{ published_at: expect.any(Date) }]);
});

test('deletions in bulk are kept for as long after their publication, and publications for as long as something belongs to them', async () => {
  const tenant = `ano.t${randomUUID()}`;
  const ano = await operator(service, tenant);
  const relation_id = randomUUID();
  await importFile(ano, file(relation_id));
  await ano.delete(NODES).query({ relation_id }).expect(204);
  const forget = () => service.app.get(ChangesCleanUp).run();
  const left = async () => (await sql(service.databaseUrl, 'select 1 from publication where tenant = $1', [tenant])).length;
  const change = (assignment: string) => sql(service.databaseUrl, `update publication set ${assignment} where tenant = $1`, [tenant]);
  const deletions = () => sql(service.databaseUrl, 'select 1 from node_deletion where tenant = $1', [tenant]);

  await forget();
  // The nodes of the import are gone.
  expect([await left(), (await deletions()).length]).toEqual([1, 2]);
  await sql(service.databaseUrl, `update node_deletion set deleted_at = deleted_at - interval '40 days' where tenant = $1`, [tenant]);
  for (const assignment of ['published_at = null', `published_at = now() - interval '30 days'`]) {
    await change(assignment);
    await forget();
    expect([await left(), (await deletions()).length]).toEqual([1, 2]);
  }
  await change(`published_at = now() - interval '30 days 2 hours'`);
  await forget();
  expect([await left(), (await deletions()).length]).toEqual([0, 0]);
});

test('every statement that changes nodes says whether it is part of bulk work', async () => {
  const folder = join(import.meta.dirname, '../../sql');
  const texts = await Promise.all(
    ['access-nodes', 'relation-nodes', 'node-import'].map((name) => readFile(join(folder, `${name}.sql`), 'utf8')),
  );
  const updates = texts.flatMap((text) => text.match(/update access_node[^]*?\swhere\s/g) ?? []);
  expect(updates.length).toBeGreaterThanOrEqual(5);
  expect(updates.filter((update) => !update.includes('publication = default'))).toEqual([]);
});
