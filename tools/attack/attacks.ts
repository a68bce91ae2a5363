import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { generateKeyPair } from 'jose';
import { LISTED_TENANT } from '../bench/setup/nodes.js';
import { EVENTS, PERIODS } from '../bench/suites/event-suite.js';
import type { Attacker, Sent } from './attacker.js';
import { LONG_ENTITIES, LONG_ENTITIES_BEGIN } from './long-entities.js';

export const SCOPES = 'coverage:read coverage:write coverage:search events:read events:write';
const NODES = '/v2/cov/nodes';
const json = { 'content-type': 'application/json' };
const csv = { 'content-type': 'text/csv' };
const zipped = { 'content-encoding': 'gzip' };
const LINE_FEEDS: Sent = { headers: { ...csv, ...zipped }, body: gzipSync(`"center",relation_id,token\n${'\n'.repeat(4_000_000)}`) };
const REFUSED_COLUMNS: Sent = { headers: { ...csv, ...zipped }, body: gzipSync(`center,relation_id,token\n${'x,,\n'.repeat(1_000_000)}`) };
const REFUSED_OBJECTS: Sent = { headers: { 'content-type': 'application/x-ndjson', ...zipped }, body: gzipSync('{}\n'.repeat(4_000_000)) };
const manyRelations = (): string =>
  `relation_id,token,center\n${Array.from({ length: 80_000 }, () => `${randomUUID()},planned,"48.2, 16.3"\n`).join('')}`;
const paddedEvent = (): string => ' '.repeat(17_000) + JSON.stringify({ entity_id: randomUUID(), event_type: 'activation' });

const importing = (a: Attacker, sent: Sent): Promise<unknown> =>
  a.hit('coverage', `${NODES}/import?target=prenodes&dry_run=true`, { method: 'POST', ...sent });

/** `Bearer` in any case, and a token whose last character has four bits that nobody reads. */
function spellingsOf(token: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1)!) & 0b110000;
  const spelling = (bits: number): string => [...'bearer'].map((one, at) => ((bits >> at) & 1 ? one.toUpperCase() : one)).join('');
  return Array.from({ length: 64 * 16 }, (_, bits) => `${spelling(bits >> 4)} ${token.slice(0, -1)}${alphabet[last | (bits & 15)]}`);
}

async function sendSpellings(a: Attacker): Promise<void> {
  const spellings = spellingsOf(a.token);
  const next = (): string => spellings[Math.floor(Math.random() * spellings.length)]!;
  const spelled = (): Record<string, string> => ({ ...json, authorization: next() });
  const page = `${EVENTS}?entity_id=${LONG_ENTITIES[1].id}&_page_size=2000`;
  const slow = { body: Buffer.alloc(1_000_000, ' '), drip: ' ' };
  await Promise.all([
    a.again(100, (turn) => {
      // Those that are not cut off come again soon.
      const unread = { headers: spelled(), isDeaf: true, leaves: 12_000 };
      return turn % 2 ? a.hit('coverage', `${NODES}?_page_size=2000`, unread) : a.hit('events', page, unread);
    }),
    a.again(100, (turn) => {
      const headers = spelled();
      return turn % 2
        ? a.hit('coverage', NODES, { method: 'POST', headers, ...slow })
        : a.hit('events', EVENTS, { method: 'PUT', headers, ...slow });
    }),
  ]);
}

async function makeTokensUp(a: Attacker): Promise<void> {
  const { privateKey: key } = await generateKeyPair('RS256');
  const sign = (): Promise<string> => a.targets.issuer.token({ tenant: LISTED_TENANT, scope: SCOPES, claims: { jti: randomUUID() }, key });
  const tokens = await Promise.all(Array.from({ length: 300 }, sign));
  await a.again(100, (turn) => {
    const token = tokens[Math.floor(Math.random() * tokens.length)];
    return turn % 2 ? a.hit('coverage', NODES, { token }) : a.hit('events', EVENTS, { token });
  });
}

/** Pages in the middle of long entities, and pages for which all of their events are read. */
function billLongEntities(a: Attacker): Promise<void> {
  const at = (ms: number): string => encodeURIComponent(new Date(LONG_ENTITIES_BEGIN + ms).toISOString());
  const paths = LONG_ENTITIES.flatMap(({ id, updates }) => {
    const window = `entity_id=${id}&from=${at(0)}&to=${at(30 * 86_400_000)}&_page_size=2000`;
    const corrections = `${PERIODS}/corrections?${window}&recorded_from=`;
    return [
      `${PERIODS}?${window}`,
      `${PERIODS}?${window}&article_code=nothing`,
      `${corrections}${at(0)}`,
      `${corrections}${at((updates / 2) * 1_000)}`,
    ];
  });
  return a.again(8, (turn) => a.hit('events', paths[turn % paths.length]!));
}

const LOCKERS = ['ano.locks.a', 'ano.locks.b'];
const rowsOf = (relation: string, lot: number): string =>
  [
    'relation_id,token,center,customer_reference,lot_id',
    ...Array.from({ length: 20_000 }, (_, row) => `${relation},planned,"48.2, 16.3",r${row},${lot}`),
  ].join('\n');

/** Two tenants, each of which imports into a relation again and again, and meanwhile merges and deletes it, and changes one of its nodes. */
async function waitForOwnLocks(a: Attacker): Promise<void> {
  const lock = async (tenant: string): Promise<void> => {
    const token = await a.targets.issuer.token({ tenant, scope: SCOPES });
    const relation = randomUUID();
    const held = { relation_id: relation, token: 'planned', center: '48.2, 16.3', customer_reference: 'r0' };
    const created = await a.hit('coverage', NODES, { method: 'POST', headers: json, token, body: JSON.stringify(held) });
    const node = created?.headers.location ?? '';
    const bulk = JSON.stringify({ node_ids: [node.split('/').at(-2)], set: { units: 1 } });
    const waiting: readonly (() => Promise<unknown>)[] = [
      () => a.hit('coverage', `${NODES}?relation_id=${relation}`, { method: 'PUT', token }),
      () => a.hit('coverage', node, { method: 'PATCH', headers: json, token, body: JSON.stringify({ units: Date.now() % 9_000 }) }),
      () => a.hit('coverage', NODES, { method: 'PATCH', headers: json, token, body: bulk }),
      () => a.hit('coverage', NODES, { method: 'POST', headers: json, token, body: JSON.stringify({ ...held, customer_reference: 'r1' }) }),
    ];
    await Promise.all([
      a.again(1, (turn) => a.hit('coverage', `${NODES}/import`, { method: 'POST', headers: csv, token, body: rowsOf(relation, turn) })),
      a.again(12, (turn) => waiting[turn % waiting.length]!()),
    ]);
  };
  await Promise.all(LOCKERS.map(lock));
}

/** Webhooks that are created, tested and deleted again, so that each one is due at once. */
const followWith = (a: Attacker, receiver: () => string): Promise<void> =>
  a.again(40, async (turn) => {
    const [to, hooks, feed] =
      turn % 2 ? (['coverage', '/v2/cov/webhooks/', 'nodes'] as const) : (['events', '/api/v2/sys/webhooks/', 'events'] as const);
    const body = JSON.stringify({ url: receiver(), feed, since: '2020-01-01T00:00:00Z' });
    const webhook = (await a.hit(to, hooks, { method: 'POST', headers: json, body }))?.headers.location;
    await Promise.all([webhook && a.hit(to, `${webhook}test/`, { method: 'POST' }), sleep(3_000)]);
    while (webhook && (await a.hit(to, webhook, { method: 'DELETE' }))?.statusCode === 503) await sleep(500);
  });

export const ATTACKS: Readonly<Record<string, (attacker: Attacker) => Promise<unknown>>> = {
  'exports whose clients disconnect after 0 to 60 ms': (a) =>
    a.again(8, (turn) => {
      const leaves = Math.random() * 60;
      return turn % 2 ? a.hit('coverage', `${NODES}/export`, { leaves }) : a.hit('events', `${EVENTS}/export`, { leaves });
    }),
  'import of 4 MB of line feeds, gzipped': (a) => a.again(1, () => importing(a, LINE_FEEDS)),
  'imports of faulty rows': (a) => a.again(2, (turn) => importing(a, turn % 2 ? REFUSED_COLUMNS : REFUSED_OBJECTS)),
  'imports whose clients disconnect': (a) => a.again(2, () => importing(a, { ...REFUSED_OBJECTS, leaves: 300 })),
  'slow uploads and unread exports': (a) =>
    a.again(8, (turn) =>
      turn % 2
        ? a.hit('coverage', `${NODES}/export?format=geojson`, { isDeaf: true })
        : importing(a, { headers: csv, body: 'center,relation_id,token\n'.padEnd(20_000, '\n'), drip: '\n' }),
    ),
  'bodies over 16 kB, GET with Expect, slow bodies of 1 MiB': (a) => {
    const headers = { ...json, 'content-length': String(1024 ** 2) };
    return Promise.all([
      a.again(50, () => a.hit('events', EVENTS, { method: 'PUT', headers: json, body: paddedEvent() })),
      a.again(50, () => a.hit('coverage', `${NODES}?_page_size=2000`, { headers: { expect: '100-continue' } })),
      a.again(150, () => a.hit('coverage', NODES, { method: 'POST', headers, body: Buffer.alloc(1_000_000, ' '), drip: ' ' })),
    ]);
  },
  'unread pages and slow bodies with 1,024 spellings of a token': sendSpellings,
  'made-up tokens on 100 connections': makeTokensUp,
  'dry run of an import of 80,000 relations': (a) => {
    const body = manyRelations();
    return a.again(1, () => importing(a, { headers: csv, body }));
  },
  'searches and tiles that match nothing, 40 at once': (a) => {
    const search = '/v2/cov/search?center=47.5,13.5&search_radius=100000&limit=10&technology=nothing';
    return a.again(40, (turn) => a.hit('coverage', turn % 2 ? search : '/v2/cov/tiles/6/34/22.mvt?technology=nothing'));
  },
  'periods and corrections of long entities, 8 at once': billLongEntities,
  "two tenants' merges and changes during their own imports": waitForOwnLocks,
  'webhooks whose name servers are silent': (a) => followWith(a, () => `https://${randomUUID()}.silent.test/`),
  'webhooks whose receivers send interim responses for ever': (a) => followWith(a, () => a.targets.receiver),
};
