import { createDataSource, migrate } from '@fibre/database';
import { withClient } from '@fibre/embedded-postgres';
import { cloneDatabase } from './clone-database.js';
import { globalSetup } from './jest-global-setup.js';
import { globalTeardown } from './jest-global-teardown.js';

class CreateThing1700000000001 {
  async up(queryRunner: { query(text: string): Promise<unknown> }): Promise<void> {
    await queryRunner.query('create table thing (id int primary key)');
  }
  async down(): Promise<void> {}
}

beforeAll(
  globalSetup(async (url) => {
    await migrate(createDataSource({ url, poolSize: 1, applicationName: 'spec', entities: [], migrations: [CreateThing1700000000001] }));
  }),
);
afterAll(globalTeardown);

const count = (url: string) =>
  withClient(url, async (client) => (await client.query<{ count: number }>('select count(*)::int from thing')).rows[0]?.count);

test('clones have the schema of the template and share no data', async () => {
  const clones = await Promise.all([1, 2, 3, 4].map(() => cloneDatabase()));
  const [first, ...others] = clones;
  await withClient(first?.url ?? '', (client) => client.query('insert into thing values (1), (2)'));
  await expect(count(first?.url ?? '')).resolves.toBe(2);
  await expect(Promise.all(others.map(({ url }) => count(url)))).resolves.toEqual([0, 0, 0]);
  await Promise.all(clones.map((clone) => clone.drop()));
  await expect(count(first?.url ?? '')).rejects.toMatchObject({ code: '3D000' });
});

test('a clone can be dropped while it is in use', async () => {
  const clone = await cloneDatabase();
  await withClient(clone.url, async (client) => {
    await clone.drop();
    await expect(client.query('select')).rejects.toThrow(/terminat|not queryable/);
  });
});

test('the template accepts no connections, so it can be copied at any time', async () => {
  await expect(withClient(process.env.TEST_DATABASE_TEMPLATE_URL ?? '', () => Promise.resolve())).rejects.toMatchObject({ code: '55000' });
});
