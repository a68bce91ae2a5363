import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import { WORKSPACE } from '../../workspace.js';
import { nodesDataset } from '../coverage-service/load-nodes.js';
import { FIRST_PAGE, SEARCH_SEED, searchAt, SEARCHES } from '../coverage-service/suite.js';
import { inhabitedPoints, LISTED_TENANT } from '../coverage-service/towns.js';
import type { Dataset } from '../dataset.js';
import { databaseSettings, prepareDatabase, startDatabaseServer, versionOf } from '../databases.js';
import { type Issuer, startIssuer } from '../issuer.js';
import { machine } from '../machine.js';
import { type Options, readOptions } from '../options.js';
import { latencies, ratios, table } from '../report.js';
import { type BenchRequest, send } from '../requests.js';
import { alternate, type ScenarioResult } from '../rounds.js';
import type { Server } from '../running.js';
import { COMPARED, expectSame } from '../same-answers.js';
import { build, type ServiceOptions, startService } from '../service.js';
import { PAGE_SIZE, walk } from '../walk.js';
import { writeSection } from '../document-section.js';
import { directus } from './directus.js';
import { CONNECTIONS, FOUND, type Peer, PEERS_DIR, type Place, RADIUS, type Row, type RunningPeer, type Work } from './peer.js';
import { pgFeatureserv } from './pg-featureserv.js';
import { startPostgisServer } from './postgis.js';
import { prest } from './prest.js';

const SERVICE = 'coverage-service';
const SCOPES = 'coverage:read coverage:search coverage:write';
const PEERS: Readonly<Record<string, Peer>> = { prest, pg_featureserv: pgFeatureserv, directus };
/** Of every node that the bench creates, so that it is told from the others. */
const RELATION = '00000000-0000-4000-9000-000000000000';
/** More than any box has. */
const ALL = 1_000;
/** What every side says of a node, under the same name. */
const SAID = ['node_id', 'relation_id', 'token', 'status', 'technology', 'country'];
const CREATED = [
  'tenant',
  'collection',
  'token',
  'latitude',
  'longitude',
  'technology',
  'status',
  'customer_reference',
  'country',
  'version',
];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The service and a peer on one database. */
interface Pair {
  service: Server;
  /** Of the service. */
  token: string;
  peer: RunningPeer;
  databaseUrl: string;
}

/** What a work is of either side. */
interface Sides {
  title: string;
  ours: BenchRequest[];
  theirs: BenchRequest[];
  connections?: number;
  statuses?: [ours: number, theirs: number];
}

/** `npm run bench -- peers [name ...]`: the service and other programs that serve a table, beside each other on the same one. */
export async function benchPeers(args: string[]): Promise<void> {
  const names = args.filter((arg) => arg in PEERS);
  const options = readOptions(args.filter((arg) => !names.includes(arg)));
  mkdirSync(PEERS_DIR, { recursive: true });
  await build(SERVICE);
  const issuer = await startIssuer();
  const parts: string[] = [];
  try {
    for (const name of names.length > 0 ? names : Object.keys(PEERS)) {
      const { title, needs } = PEERS[name]!;
      const [file, command] = Object.entries(needs).find(([needed]) => !existsSync(needed)) ?? [];
      const part =
        file === undefined
          ? await benchPeer(name, options, issuer)
          : `${title} is left out, as it is not installed. What installs it: \`${command}\``;
      say(`\n${part}\n`);
      parts.push(part);
    }
  } finally {
    issuer.close();
  }
  const { rounds, seconds } = options;
  const head = `Medians of ${rounds} alternating rounds of ${seconds} s. The ratio is the median over pairs of neighbouring rounds, with the least and the greatest in brackets.`;
  // A part of the peers is nothing to publish.
  if (names.length === 0) writeSection(join(WORKSPACE, 'docs/benchmarks.md'), 'peers', [head, ...parts].join('\n\n'));
}

/** The same nodes as those of the suite, in a database that the peer may make its own. */
const datasetFor = (name: string, nodes: number): Dataset => ({
  ...nodesDataset(nodes),
  name: `${name}_${nodes}`,
  removeRecorded: async (client) => (await client.query('delete from access_node where relation_id = $1', [RELATION])).rowCount ?? 0,
});

async function benchPeer(name: string, { nodes, sharedBuffers, rounds, seconds }: Options, issuer: Issuer): Promise<string> {
  const { title, needs, postgis, statements, start, goals } = PEERS[name]!;
  const short = title.split(' ', 1)[0]!;
  const postgres = await (postgis
    ? startPostgisServer(SERVICE, databaseSettings(sharedBuffers))
    : startDatabaseServer(SERVICE, sharedBuffers));
  const on = (databaseUrl: string): ServiceOptions => ({ service: SERVICE, databaseUrl, issuer: issuer.url });
  const stops = [postgres.stop];
  try {
    say(`preparing ${nodes} nodes for ${title}`);
    const { url: databaseUrl, records } = await prepareDatabase(postgres.url, datasetFor(name, nodes), on);
    await withClient(databaseUrl, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
    const token = await issuer.token(LISTED_TENANT, SCOPES);
    const { url, program } = await startService(on(databaseUrl), '/health/ready');
    stops.unshift(async () => void (await program.stop()));
    await program.ready();
    const peer = await start({ databaseUrl, issuer: issuer.url, token });
    stops.unshift(async () => void (await peer.program.stop()));
    const pair = { service: { url, pid: program.pid, records }, token, peer, databaseUrl };
    const results: ScenarioResult[] = [];
    for (const [work, goal] of Object.entries(goals)) {
      const { title: what, ours, theirs, connections = CONNECTIONS, statuses = [200, 200] } = await WORKS[work as Work](pair);
      say(`${what}: ${rounds} rounds of ${seconds} s for each side`);
      const first = { server: pair.service, requests: ours, status: statuses[0] };
      const second = { server: serverOf(pair), token: peer.token, requests: theirs, status: statuses[1] };
      results.push(await alternate({ title: what, token, connections, first, second, goal: { atLeast: goal } }, rounds, seconds));
      say(`  ratio ${results.at(-1)!.ratio.toFixed(2)}`);
    }
    return [
      `#### ${title}`,
      `Installed by ${[...new Set(Object.values(needs))].map((command) => `\`${command}\``).join(' and ')}.`,
      ratios('Service', short, results),
      latencies('Service', short, results),
      table(['Machine', ''], machine(await versionOf(databaseUrl), records)),
    ].join('\n\n');
  } finally {
    for (const stop of stops) await stop();
  }
}

const serverOf = ({ peer, service }: Pair): Server => ({ url: peer.url, pid: peer.program.pid, records: service.records });

/** Each checks, before anything is measured, that both sides answer with the same rows. */
const WORKS: Readonly<Record<Work, (pair: Pair) => Promise<Sides>>> = {
  search: async (pair) => {
    const places = placesIn(pair);
    const sides = { ours: places.map(searchAt), theirs: places.map(pair.peer.search!) };
    await expectSameRows(pair, sides);
    return { title: `Search, ${FOUND} nearest within ${RADIUS} m`, ...sides };
  },
  box: async (pair) => {
    const places = placesIn(pair);
    for (const place of places.slice(0, COMPARED)) {
      const [ours, all] = await rowsOf(pair, searchAt(place), pair.peer.box!(place, ALL));
      expectSame(searchAt(place), ours, all.filter(({ node_id }) => ours.some((our) => our.node_id === node_id)).sort(inOrderOf(ours)));
    }
    return {
      title: `Search, ${FOUND} nearest within ${RADIUS} m, beside any ${FOUND} of the box`,
      ours: places.map(searchAt),
      theirs: places.map((place) => pair.peer.box!(place, FOUND)),
    };
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
    return { title: `List, page of ${PAGE_SIZE} in mid-walk`, ours, theirs, connections: CONNECTIONS / 2 };
  },
  read: async (pair) => {
    const { peer } = pair;
    const ids = await withClient(pair.databaseUrl, async (client) => {
      const query = 'select node_id from access_node where tenant = $1 order by md5(node_id::text) limit $2';
      const { rows } = await client.query<{ node_id: string }>(query, [LISTED_TENANT, SEARCHES]);
      return rows.map(({ node_id }) => node_id);
    });
    if (peer.refusal !== undefined) await send(serverOf(pair), peer.read(ids[0]!), `${peer.token}x`, peer.refusal);
    const sides = { ours: ids.map((id) => ({ path: `/v2/cov/nodes/${id}` })), theirs: ids.map(peer.read) };
    await expectSameRows(pair, sides);
    return { title: 'Read one by its id', ...sides };
  },
  insert: async (pair) => {
    const { service, token, peer, databaseUrl } = pair;
    const node = { relation_id: RELATION, token: 'operation', technology: 'ftth', country: 'AT' };
    const ours = placesIn(pair).map((place): BenchRequest => ({
      path: '/v2/cov/nodes',
      method: 'POST',
      body: JSON.stringify({ ...node, center: place.join(', ') }),
    }));
    const theirs = placesIn(pair).map(([latitude, longitude]) =>
      peer.insert!({ ...node, tenant: LISTED_TENANT, collection: 'nodes', status: 'active', latitude, longitude }),
    );
    const statuses: [number, number] = [201, peer.inserted!];
    await send(service, ours[0]!, token, statuses[0]);
    await send(serverOf(pair), theirs[0]!, peer.token ?? '', statuses[1]);
    const created = await withClient(databaseUrl, (client) =>
      client.query<Row>(`select ${CREATED.join()} from access_node where relation_id = $1`, [RELATION]),
    );
    expectSame(ours[0]!, created.rows[0], created.rows[1]);
    return { title: 'Insert one', ours, theirs, statuses };
  },
};

const placesIn = ({ service }: Pair): Place[] => inhabitedPoints(service.records, SEARCHES, SEARCH_SEED);

async function expectSameRows(pair: Pair, { ours, theirs }: Pick<Sides, 'ours' | 'theirs'>): Promise<void> {
  for (const [i, request] of ours.slice(0, COMPARED).entries()) expectSame(request, ...(await rowsOf(pair, request, theirs[i]!)));
}

/** What either side answers, as far as both say it. */
async function rowsOf(pair: Pair, ours: BenchRequest, theirs: BenchRequest): Promise<[ours: Row[], theirs: Row[]]> {
  const said = (rows: Row[]): Row[] => rows.map((row) => Object.fromEntries(SAID.map((name) => [name, row[name] ?? null])));
  const our = [JSON.parse((await send(pair.service, ours, pair.token)).body) as Row | Row[]].flat();
  return [said(our), said(pair.peer.rows((await send(serverOf(pair), theirs, pair.peer.token ?? '')).body))];
}

const inOrderOf = (rows: readonly Row[]): ((a: Row, b: Row) => number) => {
  const place = ({ node_id }: Row): number => rows.findIndex((row) => row.node_id === node_id);
  return (a, b) => place(a) - place(b);
};
