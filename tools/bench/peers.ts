import { existsSync, mkdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { withClient } from '@fibre/embedded-postgres';
import { FIRST_PAGE, searchAt } from './suites/coverage-suite.js';
import { onStage, prepareDatabase, type Stage } from './setup/database.js';
import { type BenchRequest, compare, type Comparison, type Contestant, send } from './setup/load.js';
import { inhabitedPoints, LISTED_TENANT, nodesDataset } from './setup/nodes.js';
import {
  CONNECTIONS,
  FOUND,
  type Peer,
  PEERS,
  PEERS_DIR,
  type Place,
  RADIUS,
  type Row,
  type RunningPeer,
  type Work,
} from './peer-programs.js';
import type { Options } from './suites/ratios.js';
import { comparisonTables, machine, say, writeSection } from './setup/report.js';
import { PAGE_SIZE, walk } from './suites/scenario.js';
import { type Server, startService } from './setup/service.js';

/** Customer reference prefix of the nodes that the bench creates. */
const RELATION = '00000000-0000-4000-9000-000000000000';
/** More nodes than any box has. */
const ALL = 1_000;
/** Requests whose responses are compared. */
const COMPARED = 25;
/** The fields of a node that every side returns, under the same names. */
const SAID = ['node_id', 'relation_id', 'token', 'status', 'technology', 'country'];
const CREATED = 'tenant, collection, token, latitude, longitude, technology, status, customer_reference, country, version';

/** The service and a peer on one database. */
interface Pair {
  service: Server;
  token: string;
  peer: RunningPeer;
  databaseUrl: string;
  places: Place[];
}
/** The requests of a kind of work to either side. */
interface Sides {
  title: string;
  ours: BenchRequest[];
  theirs: BenchRequest[];
  connections?: number;
  statuses?: [ours: number, theirs: number];
}

/** `npm run bench -- peers [name ...]`: coverage-service and programs that generate an API from a table, on the same table. */
export async function benchPeers(options: Options, names: readonly string[]): Promise<void> {
  mkdirSync(PEERS_DIR, { recursive: true });
  for (const [name, peer] of Object.entries(PEERS).filter(([name]) => names.length === 0 || names.includes(name))) {
    const missing = peer.needs.find(({ file }) => !existsSync(file));
    if (missing) say(`${peer.title} is skipped because it is not installed: ${missing.install}`);
    else await onStage('coverage-service', (stage) => benchPeer(name, peer, options, stage));
  }
}

async function benchPeer(
  name: string,
  { title, extension, statements, start, goals }: Peer,
  options: Options,
  stage: Stage,
): Promise<void> {
  const { issuer, postgres, version, keep } = stage;
  const found = await withClient(postgres, (client) => client.query('select 1 from pg_available_extensions where name = $1', [extension]));
  if (extension && found.rowCount === 0)
    return say(`${title} is skipped because the server has no ${extension}: tools/on-postgresql-15 npm run bench -- peers ${name}`);
  const databaseUrl = await prepareDatabase(postgres, nodesDataset(options.nodes));
  await withClient(databaseUrl, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
  const token = await issuer.tokenFor(LISTED_TENANT, 'coverage:read coverage:search coverage:write');
  const service = keep(await startService('coverage-service', databaseUrl, issuer.url));
  const peer = keep(await start({ databaseUrl, issuer: issuer.url, token }));
  const pair = { service, token, peer, databaseUrl, places: inhabitedPoints(options.nodes) };
  const results: Comparison[] = [];
  for (const [work, atLeast] of Object.entries(goals)) {
    const { title: what, ours, theirs, connections = CONNECTIONS, statuses = [200, 200] } = await WORKS[work as Work](pair);
    const first: Contestant = { server: service, token, requests: ours, status: statuses[0] };
    const second: Contestant = { server: peer, token: peer.token, requests: theirs, status: statuses[1] };
    results.push(await compare({ title: what, connections, atLeast }, [first, second], options));
    say(`${what}: ${results.at(-1)!.ratio.toFixed(2)}`);
  }
  writeSection(name, [`${title}. ${machine(version)}`, comparisonTables('Service', title.split(' ', 1)[0]!, results)].join('\n\n'));
}

/** Before measuring, each checks that both sides return the same rows. */
const WORKS: Readonly<Record<Work, (pair: Pair) => Promise<Sides>>> = {
  search: async (pair) => {
    const sides = { ours: pair.places.map(searchAt), theirs: pair.places.map(pair.peer.search!) };
    await expectSameRows(pair, sides);
    return { title: `Search, ${FOUND} nearest within ${RADIUS} m`, ...sides };
  },
  box: async (pair) => {
    const { places, peer } = pair;
    for (const place of places.slice(0, COMPARED)) {
      const [ours, all] = await rowsOf(pair, searchAt(place), peer.box!(place, ALL));
      const among = ours.map(({ node_id }) => all.find((row) => row.node_id === node_id));
      expectSame(searchAt(place), ours, among);
    }
    const title = `Search, ${FOUND} nearest within ${RADIUS} m, compared with any ${FOUND} of the box`;
    return { title, ours: places.map(searchAt), theirs: places.map((place) => peer.box!(place, FOUND)) };
  },
  list: async (pair) => {
    const { service, token, peer } = pair;
    const ours = await walk(service, FIRST_PAGE, token);
    const theirs: BenchRequest[] = [];
    for (const page of ours) {
      const [first] = JSON.parse((await send(service, page, token)).body) as Row[];
      theirs.push(peer.list(first!, PAGE_SIZE));
    }
    await expectSameRows(pair, { ours, theirs });
    return { title: `List, a later page of ${PAGE_SIZE}`, ours, theirs, connections: CONNECTIONS / 2 };
  },
  read: async (pair) => {
    const { peer } = pair;
    const query = 'select node_id from access_node where tenant = $1 order by md5(node_id::text) limit 20000';
    const { rows } = await withClient(pair.databaseUrl, (client) => client.query<{ node_id: string }>(query, [LISTED_TENANT]));
    const ids = rows.map(({ node_id }) => node_id);
    // A peer that accepts any token would have less work.
    if (peer.refusal !== undefined) await send(peer, peer.read(ids[0]!), `${peer.token}x`, peer.refusal);
    const sides = { ours: ids.map((id) => ({ path: `/v2/cov/nodes/${id}` })), theirs: ids.map(peer.read) };
    await expectSameRows(pair, sides);
    return { title: 'Read one by its id', ...sides };
  },
  insert: async ({ service, token, peer, databaseUrl, places }) => {
    const node = { relation_id: RELATION, token: 'operation', technology: 'ftth', country: 'AT' };
    const ours = places.map((place): BenchRequest => ({
      ...{ path: '/v2/cov/nodes', method: 'POST' },
      body: JSON.stringify({ ...node, center: place.join(', ') }),
    }));
    const own = { ...node, tenant: LISTED_TENANT, collection: 'nodes', status: 'active' };
    const theirs = places.map(([latitude, longitude]) => peer.insert!({ ...own, latitude, longitude }));
    const statuses: [number, number] = [201, peer.inserted!];
    await send(service, ours[0]!, token, statuses[0]);
    await send(peer, theirs[0]!, peer.token, statuses[1]);
    const created = `select ${CREATED} from access_node where relation_id = $1`;
    const { rows } = await withClient(databaseUrl, (client) => client.query<Row>(created, [RELATION]));
    expectSame(ours[0]!, rows[0], rows[1]);
    return { title: 'Insert one', ours, theirs, statuses };
  },
};

async function expectSameRows(pair: Pair, { ours, theirs }: Pick<Sides, 'ours' | 'theirs'>): Promise<void> {
  for (const [index, request] of ours.slice(0, COMPARED).entries()) expectSame(request, ...(await rowsOf(pair, request, theirs[index]!)));
}

function expectSame({ path }: BenchRequest, ours: unknown, theirs: unknown): void {
  if (!isDeepStrictEqual(ours, theirs)) throw new Error(`the two sides respond differently to ${path}`);
}

/** The fields that both sides return. */
async function rowsOf({ service, token, peer }: Pair, ours: BenchRequest, theirs: BenchRequest): Promise<[ours: Row[], theirs: Row[]]> {
  const said = (rows: Row[]): Row[] => rows.map((row) => Object.fromEntries(SAID.map((name) => [name, row[name] ?? null])));
  const our = [JSON.parse((await send(service, ours, token)).body) as Row | Row[]].flat();
  return [said(our), said(peer.rows((await send(peer, theirs, peer.token)).body))];
}
