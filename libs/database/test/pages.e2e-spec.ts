import { createDataSource, Deadline, jsonObjectText, type Listing, MAX_PAGE_BYTES, readListing, readRecords, sql } from '@fibre/database';
import { EntitySchema } from 'typeorm';
import { sql as statementOf, useCounterDatabase } from './counter-database.js';

const { ask, connect, direct } = useCounterDatabase();

/** Records by id, each with a text of the given number of characters. */
const notes: Listing = {
  label: 'notes',
  records: ({ from: [first], limit }) => sql`select n.* from note n ${first && sql`where n.id >= ${first}`} order by n.id limit ${limit}`,
  rows: sql`select 1 from note n`,
  order: [{ column: 'id', type: 'uuid' }],
  alias: 'n',
  json: jsonObjectText([
    { name: 'id', sql: 'n.id', as: 'plain' },
    { name: 'text', sql: 'n.text', as: 'text', optional: true },
    { name: 'json', sql: 'n.json::text', as: 'json', optional: true },
  ]),
};

const MIB = 1024 * 1024;
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Timeout in milliseconds; megabytes take time on a busy machine. */
const PATIENCE = 60_000;

beforeAll(() => ask('create table note (id uuid primary key, text text, json json)'));
beforeEach(() => ask('truncate note'));

async function fill(...texts: { text?: string; json?: string }[]): Promise<void> {
  for (const [n, { text, json }] of texts.entries()) await ask('insert into note values ($1, $2, $3)', [id(n), text, json]);
}

/** Reads a whole listing: the ids and the number of bytes of each page. */
async function walk(size: number): Promise<{ ids: number[]; bytes: number }[]> {
  const database = await connect();
  const pages = [];
  for (let from: string | undefined, more = true; more;) {
    const { json: texts, nextId } = await readListing(database, notes, { size, from });
    const json = `[${texts.join(',')}]`;
    pages.push({ ids: (JSON.parse(json) as { id: string }[]).map((note) => Number(note.id.slice(-12))), bytes: Buffer.byteLength(json) });
    [from, more] = [nextId, nextId !== undefined];
  }
  return pages;
}

test('a page that would be too large is shortened, and the next page continues after it', async () => {
  await fill(...[3, 4, 2, 1, 3, 3, 7].map((mib) => ({ text: 'x'.repeat(mib * MIB) })));
  const pages = await walk(100);
  expect(pages.map(({ ids }) => ids)).toEqual([[0, 1], [2, 3, 4], [5], [6]]);
  for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES);
  expect((await walk(1)).map(({ ids }) => ids)).toEqual([[0], [1], [2], [3], [4], [5], [6]]);
});

test('a record that is too large gets its own page', async () => {
  await fill({ text: 'x' }, { text: 'x'.repeat(9 * MIB) }, { json: JSON.stringify('x'.repeat(9 * MIB)) }, { text: 'x' }, {});
  expect((await walk(100)).map(({ ids }) => ids)).toEqual([[0], [1], [2], [3, 4]]);
});

test('the limit applies to the escaped JSON', async () => {
  const control = '\u0001'.repeat(MIB);
  const quotes = '"'.repeat(MIB);
  await fill({ text: control }, { text: control }, { text: quotes }, { text: quotes }, { text: quotes }, { text: quotes });
  const pages = await walk(100);
  expect(pages.map(({ ids }) => ids)).toEqual([[0], [1], [2, 3, 4], [5]]);
  for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES);
});

test('a page that might exceed the limit but does not is returned whole', async () => {
  await fill(...[1, 2, 3].map(() => ({ text: 'x'.repeat(2 * MIB), json: JSON.stringify('x'.repeat(MIB / 2)) })));
  expect((await walk(3)).map(({ ids }) => ids)).toEqual([[0, 1, 2]]);
  expect((await walk(2)).map(({ ids }) => ids)).toEqual([[0, 1], [2]]);
});

test.each([0, 1])('a page ends at the same byte, whether SQL or TypeORM reads it (%i more than fit)', async (more) => {
  const note = (length: number) => ({ id: id(0), text: 'x'.repeat(length) });
  const rest = MAX_PAGE_BYTES - Buffer.byteLength(JSON.stringify([note(4 * MIB), note(0)]));
  await fill(note(4 * MIB), note(rest + more));
  const database = await connect();
  const schema = new EntitySchema<{ id: string; text: string }>({
    name: 'note',
    columns: { id: { type: 'uuid', primary: true }, text: { type: 'text' } },
  });
  const settings = { ...direct(), poolSize: 1, applicationName: 'spec', entities: [schema], migrations: [] };
  const dataSource = await createDataSource(settings).initialize();
  const repository = dataSource.getRepository(schema);
  const records = { repository, label: 'notes', where: {}, key: 'id', toResponse: (record: object) => record } as const;
  const pages = [await readListing(database, notes, { size: 2 }), await readRecords(database, records, { size: 2 })];
  await dataSource.destroy();
  const bytes = pages.map(({ json }) => Buffer.byteLength(`[${json.join(',')}]`));
  const expected = more ? Buffer.byteLength(JSON.stringify([note(4 * MIB)])) : MAX_PAGE_BYTES;
  expect(bytes).toEqual([expected, expected]);
  expect(pages.map(({ nextId }) => nextId)).toEqual(more ? [id(1), id(1)] : [undefined, undefined]);
});

test('an empty listing has one empty page', async () => {
  const database = await connect();
  await expect(readListing(database, notes, { size: 10 })).resolves.toEqual({ json: [], nextId: undefined, total: 0 });
});

test('four large pages are read at a time, two of each client; small pages do not wait for them, and no page waits beyond its deadline', async () => {
  await fill({ text: 'x' });
  const database = await connect({ poolSize: 20, lockTimeoutMs: PATIENCE, statementTimeoutMs: PATIENCE });
  const pageOf = async (size: number) => (await readListing(database, notes, { size, from: id(0) })).json.join();
  let pages: Promise<string>[] = [];
  let late: Promise<unknown> | undefined;
  const used: number[] = [];
  await database.transaction(async (run) => {
    await run(statementOf('lock table note in access exclusive mode'));
    pages = [500, 500].map(pageOf);
    for (const client of ['a', 'b', 'c']) {
      const ofClient = [501, 501, 501].map((size) => new Deadline(undefined, undefined, client).run(() => pageOf(size)));
      pages.push(...ofClient);
      used.push(database.largePages.used);
    }
    const deadline = new Deadline();
    late = deadline.run(() => pageOf(501)).catch((error: unknown) => error);
    deadline.end();
    await late;
    used.push(database.pools().get('primary')!.totalCount);
  });
  expect(new Set(await Promise.all(pages))).toEqual(new Set([`{"id":"${id(0)}","text":"x"}`]));
  expect(await late).toMatchObject({ name: 'WorkCancelled' });
  // Places of large pages; then the test's own connection, four large pages and two small ones.
  expect(used).toEqual([2, 4, 4, 7]);
});
