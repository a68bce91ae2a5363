import { readFileSync } from 'node:fs';
import { Database, type Statement } from '@fibre/database';
import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, idsOf, invalid, type Node, NODES, operator, problemOf, SEARCH } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';
import { importFile } from '../node-import/imports.js';

const PATH = `${SEARCH}addresses/`;

let service: TestService;
let isp: Client;
let [ano, other]: Client[] = [];

beforeAll(async () => {
  service = await startTestService(coverageService);
  isp = await service.as({ tenant: 'isp.test', scope: 'coverage:search' });
  [ano, other] = [await operator(service), await operator(service, 'ano.other')];
});
beforeEach(() => sql(service.databaseUrl, 'truncate access_node'));
afterAll(() => service.close());

async function search(q: string, query: object = {}): Promise<Node[]> {
  const answer = await isp.get(PATH).query({ q, ...query });
  expect([q, answer.status]).toEqual([q, 200]);
  return answer.body as Node[];
}
const addresses = async (q: string, query: object = {}): Promise<unknown[]> => (await search(q, query)).map(({ address }) => address);

/** Stores production nodes at these addresses. */
const store = (texts: readonly string[], tenant = 'ano.test'): Promise<unknown> =>
  sql(
    service.databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, address)
     select gen_random_uuid(), $2, gen_random_uuid(), 'nodes', 'planned', 48, 16, 'active', a from unnest($1::text[]) a`,
    [texts, tenant],
  );

describe('folding', () => {
  const CASES: [string, string][] = [
    ['Hauptstraße 12a/3', 'hauptstrasse 12 a 3'],
    ['HAUPTSTRASSE 12 A', 'hauptstrasse 12 a'],
    ['STRAẞE', 'strasse'],
    ['1-3', '1 3'],
    ['74–76', '74 76'],
    ['Top 5', 'top 5'],
    ['Top05', 'top 5'],
    ['2/Tür 4', '2 tur 4'],
    ['2/Tuer 4', '2 tur 4'],
    ['A-1010 Wien', 'a 1010 wien'],
    ['10.Oktober-Straße', '10 oktober strasse'],
    ['12E3', '12 e 3'],
    ['Zürich', 'zurich'],
    ['Zu\u0308rich', 'zurich'],
    ['ZUERICH', 'zurich'],
    ['Gänse Gaense Ganse', 'ganse ganse ganse'],
    ['Öd Oed Od', 'od od od'],
    ['Älvsjö Ångström Västerås', 'alvsjo angstrom vasteras'],
    ['0 00 007 010 100', '0 0 7 10 100'],
    ['a0b', 'a 0 b'],
    ["O'Connell O’Connell", 'o connell o connell'],
    ['Ærø Œuvre Łódź Đorđe Þór Iğdır', 'aro ouvre lodz dorde þor igdir'],
    ['ΑΘΗΝΏΝ ΟΔΌΣ', 'αθηνων οδοσ'],
    ['Ёлочная', 'елочная'],
    ['İSTANBUL', 'istanbul'],
    ['a\u00a0b\u2003c\u3000d', 'a b c d'],
    ['№ 5 · „Mühle“ (½) ×2 🏠x', '5 muhle 2 x'],
    ['  .,;  ', ''],
    ['서울 東京', '서울 東京'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ];

  test('has the same result in every case, whatever the locale of the database', async () => {
    const [{ source }] = (await sql(service.databaseUrl, `select pg_get_functiondef('fold_address'::regproc) as source`)) as [
      { source: string },
    ];
    const folded = (url: string): Promise<unknown> =>
      sql(url, `select fold_address(a) as folded from unnest($1::text[]) with ordinality u(a, place) order by place`, [
        CASES.map(([text]) => text),
      ]);
    const expected = CASES.map(([, words]) => ({ folded: words }));
    expect(await folded(service.databaseUrl)).toEqual(expected);
    const [{ collations }] = (await sql(
      service.databaseUrl,
      `select array_agg(collname::text) as collations from pg_collation where collname in ('de-AT-x-icu', 'tr-x-icu')`,
    )) as [{ collations: string[] | null }];
    const locales = [
      `locale 'C'`,
      `locale 'C.UTF-8' locale_provider libc`,
      ...(collations ? [`locale 'C' locale_provider icu icu_locale 'de-AT'`, `locale 'C' locale_provider icu icu_locale 'tr'`] : []),
    ];
    for (const [index, locale] of locales.entries()) {
      const name = `folding_${index}`;
      await sql(service.databaseUrl, `create database ${name} template template0 encoding 'UTF8' ${locale}`);
      try {
        const url = new URL(service.databaseUrl);
        url.pathname = name;
        await sql(url.href, source);
        expect([locale, await folded(url.href)]).toEqual([locale, expected]);
      } finally {
        await sql(service.databaseUrl, `drop database ${name} with (force)`);
      }
    }
  });

  test('has no character left that means something in a query, and no word that is too long', async () => {
    const [{ odd }] = (await sql(
      service.databaseUrl,
      `select string_agg(chr(c), '') as odd from generate_series(1, 127) c where fold_address('x' || chr(c) || 'y') ~ '[^a-z0-9 ]'`,
    )) as [{ odd: string | null }];
    expect(odd).toBeNull();
    const letters = '각\u{1d15e}ﬓßẞ\u0390'.repeat(43);
    await store([letters, '\u{1d160}'.repeat(255), '각'.repeat(255), 'ß'.repeat(255)]);
    expect(await addresses('ß'.repeat(255))).toEqual(['ß'.repeat(255)]);
    expect(await addresses('각'.repeat(255))).toEqual(['각'.repeat(255)]);
  });
});

test('two hundred Austrian, German and Swedish addresses are found by what people type, and no others', async () => {
  const lines = readFileSync(new URL('addresses.txt', import.meta.url), 'utf8').split('\n');
  const entries = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(' | ') as [string, string]);
  expect(entries).toHaveLength(200);
  const expected = new Map<string, string[]>();
  await store(entries.map(([address]) => address));
  for (const [address, typed] of entries) {
    for (const q of typed.split('; ')) expected.set(q, [...(expected.get(q) ?? []), address]);
  }
  for (const [q, found] of expected) expect([q, (await addresses(q)).sort()]).toEqual([q, found.sort()]);
});

test("a search by words finds every tenant's production nodes, as the search at an address shows them", async () => {
  const address = 'Hauptstraße 5, 4020 Linz';
  const nodes = [
    await create(ano!, { address, address_id: '1', customer_reference: 'private' }),
    await create(other!, { address, address_id: '1' }),
  ];
  await create(ano!, { address }, 'prenodes');
  await create(ano!);
  expect(await search('linz haupt 5')).toEqual((await isp.get(`${PATH}1/`)).body);
  expect(idsOf(await search('linz haupt 5'))).toEqual(idsOf(nodes).sort());
  expect((await isp.get(PATH.slice(0, -1)).query({ q: 'haupt' })).body).toHaveLength(2);
  await ano!.patch(`${NODES}${nodes[0]!.node_id}`).send({ address: 'Nebengasse 1' });
  expect(idsOf(await search('haupt'))).toEqual([nodes[1]!.node_id]);
  expect(idsOf(await search('neben'))).toEqual([nodes[0]!.node_id]);
  await ano!.patch(`${NODES}${nodes[0]!.node_id}`).send({ address: null });
  expect(await search('neben')).toEqual([]);
});

test('words match as a whole or by their beginning, numbers only as a whole unless they are last', async () => {
  await store(['Hauptstraße 12, 4020 Linz', 'Hauptstraße 1, 4020 Linz', 'Am Haupt 1, 4020 Linz']);
  const found = async (q: string): Promise<unknown[]> => (await addresses(q)).sort();
  expect(await found('haupt 1 linz')).toEqual(['Am Haupt 1, 4020 Linz', 'Hauptstraße 1, 4020 Linz']);
  expect(await found('linz haupt 1')).toHaveLength(3);
  expect(await found('linz haupt 12')).toEqual(['Hauptstraße 12, 4020 Linz']);
  expect(await found('402 linz')).toEqual([]);
  expect(await found('linz 402')).toHaveLength(3);
  // Two letters are no beginning.
  expect(await found('li haupt')).toEqual([]);
  expect(await found('haupt li')).toEqual([]);
  expect(await found('lin haupt')).toHaveLength(3);
  expect(await found('aupt')).toEqual([]);
  expect(await found('haupt haupt')).toHaveLength(3);
  expect(await found('haupt graz')).toEqual([]);
});

test('the best come first: all words whole, then the shorter address, then by id; at most ten', async () => {
  const begun = Array.from({ length: 8 }, (_, index) => `Ringstraße ${index + 1}`);
  await store([...begun, 'Ring 100, 1010 Wien, Stiege 4', 'Ring 7, 1010 Wien', 'Ringel 7']);
  expect((await addresses('ring')).slice(0, 3)).toEqual(['Ring 7, 1010 Wien', 'Ring 100, 1010 Wien, Stiege 4', 'Ringel 7']);
  expect(await addresses('ring')).toHaveLength(10);
  await store(Array.from({ length: 3_000 }, (_, index) => `Feldweg ${index}`));
  const found = await search('feldweg');
  expect(found).toHaveLength(10);
  await store(Array.from({ length: 12 }, () => 'Gleichgasse 1'));
  const same = idsOf(await search('gleich'));
  expect(same).toHaveLength(10);
  const all = await sql<Node>(
    service.databaseUrl,
    `select node_id from access_node where address = 'Gleichgasse 1' order by node_id limit 10`,
  );
  expect(same).toEqual(idsOf(all));
});

test('filters apply before the ten are chosen, and terminated nodes are left out', async () => {
  const address = 'Seestraße 3';
  const planned = await create(ano!, { address, token: 'planned', technology: 'FTTH', available_from: '2027-03-01' });
  const gone = await create(ano!, { address, token: 'operation', status: 'terminated' });
  const sold = await create(ano!, { address, token: 'operation', technology: 'fwa', units: 3, units_connected: 1 });
  await store(Array.from({ length: 20 }, (_, index) => `See ${index}`));
  const ids = async (query: object) => idsOf(await search('see 3', query));
  expect(await ids({ status: 'terminated' })).toEqual([gone.node_id]);
  expect(await ids({ token: 'operation' })).toEqual([sold.node_id]);
  expect(await ids({ technology: 'ftth' })).toEqual([planned.node_id]);
  expect(await ids({ offer: 'now' })).toEqual([sold.node_id]);
  expect(await ids({ technology: 'fwa', available_until: '2027-02-28' })).toEqual([sold.node_id]);
  expect(await ids({ technology: 'docsis' })).toEqual([]);
  expect(problemOf(await isp.get(PATH).query({ q: 'see', token: 'x', offer: 'x', limit: 1, center: '0, 0' }))).toEqual(
    invalid('token', 'offer', 'limit', 'center'),
  );
});

test('an import and a merge write the words too', async () => {
  const { relation_id } = await create(ano!, { customer_reference: 'a', address: 'Altweg 1' });
  const file =
    'token,center,customer_reference,address\nplanned,"48, 16",a,Neuweg 1\nplanned,"48, 16",b,"=x"\nplanned,"48, 16",c,Moosweg 2\n';
  expect((await importFile(ano!, file, { query: { relation_id, mode: 'lax' } })).body).toMatchObject({
    created: 1,
    updated: 1,
    refused: 1,
  });
  expect([await addresses('altweg'), await addresses('neuweg'), await addresses('moosweg')]).toEqual([[], ['Neuweg 1'], ['Moosweg 2']]);
  await create(ano!, { relation_id, customer_reference: 'a', address: 'Mergeweg 1' }, 'prenodes');
  expect(await addresses('mergeweg')).toEqual([]);
  expect((await ano!.put(NODES).query({ relation_id })).status).toBe(200);
  expect(await addresses('mergeweg')).toEqual(['Mergeweg 1']);
});

describe('nonsense', () => {
  test.each([
    ['nothing', undefined],
    ['one character', 'a'],
    ['only punctuation', '.,;:-_ /()'],
    ['only a mark', '\u0308\u0308'],
    ['nine words', 'a b c d e f g h i'],
    ['nine words without spaces', '1a2b3c4d5'],
    ['256 characters', 'x'.repeat(256)],
    ['NUL', 'haupt\0platz'],
  ])('%s is rejected', async (_what, q) => {
    expect(problemOf(await isp.get(PATH).query({ q }))).toEqual(invalid('q'));
  });

  test.each(['%ED%A0%80%ED%A0%80', '%C3%28ab', 'haupt%'])('%s is no text', async (q) => {
    expect((await isp.get(`${PATH}?q=${q}`)).status).toBeGreaterThanOrEqual(400);
    expect((await isp.get(`${PATH}?q=${q}`)).status).toBeLessThan(500);
  });

  test('several texts are rejected', async () => {
    expect(problemOf(await isp.get(`${PATH}?q=aa&q=bb`))).toEqual(invalid('q'));
  });

  test.each([
    "haupt' | 'linz",
    'haupt:* & !linz',
    "haupt'; drop table access_node; --",
    'haupt\\',
    "''''",
    'haupt <-> linz',
    '@ano.test',
    'a\u0315\u0300\u05ae\u0300\u0315b'.repeat(20),
    '\u0390\u1f82\u{1d160}'.repeat(80),
    '\ufdfa'.repeat(255),
    '각'.repeat(255),
    `${'ä'.repeat(120)}\u0308${'\u0308'.repeat(120)}`,
    '🏠🏠 haupt',
    '\u202ehaupt\u200b',
    'NULL null',
    '%%__**a',
  ])('%j does not fail, and finds nothing that it does not mean', async (q) => {
    await store(['Linz 1']);
    const { status, body } = await isp.get(PATH).query({ q });
    if (status !== 200) expect(problemOf(await isp.get(PATH).query({ q }))).toEqual(invalid('q'));
    else expect([q, body]).toEqual([q, []]);
  });
});

test('only a token with the scope of the search may search', async () => {
  expect((await service.anonymous().get(PATH).query({ q: 'haupt' })).status).toBe(401);
  const reader = await service.as({ tenant: 'ano.test', scope: 'coverage:read' });
  expect((await reader.get(PATH).query({ q: 'haupt' })).status).toBe(403);
});

test('only indexes find the nodes, however many have one of the words', async () => {
  const sent: Statement[] = [];
  const database = service.app.get(Database);
  const read = database.read.bind(database);
  Object.assign(database, {
    read: (statement: Statement) => {
      sent.push(statement);
      return read(statement);
    },
  });
  await store(Array.from({ length: volume(8_000, 30_000) }, (_, index) => `${['Wien', 'Graz', 'Wiengasse'][index % 3]} ${index % 100}`));
  await sql(service.databaseUrl, 'vacuum analyze access_node');
  for (const q of ['wien graz', 'wien', 'wi gra', 'graz 17', 'nowhere', 'wieng 99 1']) {
    const found = await addresses(q);
    expect([q, found.length]).toEqual([q, ['wien', 'graz 17'].includes(q) ? 10 : 0]);
    const { text, values } = sent.at(-1)!;
    const plan = await sql<{ 'QUERY PLAN': string }>(service.databaseUrl, `explain ${text}`, values);
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Seq Scan on access_node');
  }
});

test('of very many nodes, the best of the sample are found, and of the others every one', async () => {
  const street = (begin: number, end: number): Promise<unknown> =>
    store(Array.from({ length: end - begin }, (_, index) => `Wiener Straße ${begin + index}`));
  await street(0, 8_000);
  expect(new Set(await addresses('wiener'))).toEqual(new Set(Array.from({ length: 10 }, (_, index) => `Wiener Straße ${index}`)));
  const count = volume(14_000, 20_000);
  await street(8_000, count);
  await store(['Wiener Gasse 1']);
  const [first, second] = [await search('wiener'), await search('wiener')];
  expect(first).toHaveLength(10);
  expect(second).toEqual(first);
  for (const index of [0, 70, 4_711, count - 1]) expect((await addresses(`wiener str ${index}`))[0]).toBe(`Wiener Straße ${index}`);
  expect(await addresses('wiener gas')).toEqual(['Wiener Gasse 1']);
});

/** At a low volume, no search leaves nodes unread. */
const MORE = 'a response says whether there may be more nodes';
test(volume(MORE, `${MORE}, also if it did not read all because few pass its filter`), async () => {
  const more = async (q: string, query: object = {}): Promise<[number, unknown]> => {
    const { body, headers } = await isp.get(PATH).query({ q, ...query });
    return [(body as Node[]).length, headers['x-more']];
  };
  await store(Array.from({ length: 10 }, (_, index) => `Kurzweg ${index}`));
  expect(await more('kurz')).toEqual([10, undefined]);
  await store(['Kurzweg 10']);
  expect(await more('kurz')).toEqual([10, 'true']);
  expect(await more('langweg')).toEqual([0, undefined]);
  if (!volume(false, true)) return;
  await store(Array.from({ length: 50_100 }, (_, index) => `Langweg ${index}`));
  await create(ano!, { address: 'Langweg', technology: 'fwa' });
  expect((await more('langweg', { technology: 'fwa' }))[1]).toBe('true');
  expect((await more('lang', { technology: 'fwa' }))[1]).toBe('true');
  expect((await more('lang', { connected: 'true' }))[1]).toBe('true');
  // One more word finds every node.
  expect(await more('langweg 50099', { technology: 'fwa' })).toEqual([0, undefined]);
  expect(await more('langweg 50099', { connected: 'false' })).toEqual([1, undefined]);
});

volume(test.skip, test)(
  'of words that very many nodes begin with, only whole ones are looked for outside of the sample, and the response says so',
  async () => {
    // As if there were 64 times as many: the words are counted in the sample.
    await sql(
      service.databaseUrl,
      `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, address)
     select id, 'ano.test', gen_random_uuid(), 'nodes', 'planned', 48, 16, 'active', (array['Wiengasse ', 'Grazgasse '])[1 + n % 2] || n
     from (select row_number() over () as n, id from (select gen_random_uuid() as id from generate_series(1, 1200000)) i
           where uuid_hash(id) & 63 = 0 limit 16800) s`,
    );
    await store(['Wiengasse 1, Grazgasse 2, Enns']);
    const found = async (q: string): Promise<[string[], unknown]> => {
      const { body, headers } = await isp.get(PATH).query({ q });
      return [(body as { address: string }[]).map(({ address }) => address), headers['x-more']];
    };
    const [some, more] = await found('wien graz');
    expect([some.length <= 1, more]).toEqual([true, 'true']);
    // With a rarer word, every node is found.
    expect(await found('wien graz enns')).toEqual([['Wiengasse 1, Grazgasse 2, Enns'], undefined]);
    expect(await found('wiengasse grazgasse')).toEqual([['Wiengasse 1, Grazgasse 2, Enns'], 'true']);
  },
);
