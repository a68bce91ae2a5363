import { join, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import { type OptionalField, type Token, TOKENS } from '../access-nodes/access-node.js';
import type { AccessNode } from '../access-nodes/access-node.entity.js';
import { selectField } from '../access-nodes/access-node.sql.js';
import { type AccessNodeFilters, filterConditions } from '../access-nodes/access-node-filters.sql.js';
import { cellsAcross, keysIn, type MapTile } from '../geography/map-tile.js';

/** If a tile has more nodes than this, they are grouped into cells. */
export const MAX_NODES = 2_000;
/** Maximum number of nodes that a statement reads; if there are more, counts are estimates. */
export const MAX_READ = 25_000;
/** Sampling rates (one node in this many), from the most exact to the one for the largest tables; each has an index. */
export const SAMPLES = [32, 256, 2_048] as const;

const FIELDS = [
  'technology',
  'available_from',
  'units',
  'units_connected',
  'download_mbps',
  'upload_mbps',
] as const satisfies readonly OptionalField[];
/** What a map shows of a node, in the order of a tile's properties. */
export const SHOWN = ['node_id', 'token', 'status', ...FIELDS] as const;

/** A node on the map. */
export interface NodeOnMap extends Pick<AccessNode, (typeof SHOWN)[number]> {
  readonly longitude: number;
  readonly latitude: number;
}

/** The nodes in a part of a tile: counts by stage, the mean position in degrees, and the fields of the node if there is only one. */
export interface Cell extends NodeOnMap, Readonly<Record<Token, number>> {
  readonly count: number;
  readonly estimated?: true | null;
}

/** The index contains the key, because computing it costs more than reading the rest of a row. */
const KEY = raw('access_node_map_key(n.position)');
/** The position of a node on the map, computed in the same way as its key. */
const ACROSS = raw('((n.position[0] + 180) / 360 - floor((n.position[0] + 180) / 360))');
const DOWN = raw('((1 - asinh(tand(n.position[1])) / pi()) / 2)');
/** The counts of the nodes `c` in a cell. */
const COUNTS = {
  count: 'count(c.token)',
  ...Object.fromEntries(TOKENS.map((token) => [token, `count(*) filter (where c.token = '${token}')`])),
};
const MIDDLE = { longitude: 'avg(c.position[0])', latitude: 'avg(c.position[1])' };
/** The columns of a node that an index contains. */
const SEEN = raw('n.position, n.token');
const listOf = (columns: Record<string, string>, write = (text: string, _name: string) => text): string =>
  Object.entries(columns)
    .map(([name, text]) => `${write(text, name)} as ${name}`)
    .join(', ');
const NODE = raw(['n.node_id', 'n.token', 'n.status', ...FIELDS.map(selectField)].join(', '));
const CELL = raw(`${listOf(COUNTS, (text) => `(${text})::int`)}, ${listOf(MIDDLE)}`);

/** Filters that have an index, most selective first, each with its index's order; without it, the planner might read the whole table. */
const NARROW = {
  customer_reference: sql``,
  address_id: sql``,
  relation_id: sql`order by n.node_id`,
  created_by: sql`order by n.node_id`,
  modified_by: sql`order by n.node_id`,
  modified_since: sql`order by n.modified_at`,
} as const;
export type NarrowFilter = keyof typeof NARROW;

/** Whether there is a filter besides the collection. */
export const isFiltered = ({ target: _target, ...filters }: AccessNodeFilters): boolean => filterConditions(filters).length > 0;

/** The filters that may leave only a few nodes of a large tile. */
export const narrowFilters = (filters: AccessNodeFilters): NarrowFilter[] =>
  (Object.keys(NARROW) as NarrowFilter[]).filter((name) => filters[name] !== undefined);

/** The nodes of a tile, and how a statement finds them. */
export interface TileNodes {
  readonly tenant: string;
  readonly tile: MapTile;
  readonly filters: AccessNodeFilters;
  /** The filter whose index finds the nodes; if absent, the index on map keys finds them. */
  readonly narrowBy: NarrowFilter | undefined;
}

const ofTenant = (tenant: string, target: AccessNodeFilters['target']): Sql => sql`n.tenant = ${tenant} and n.collection = ${target}`;
const between = (first: Sql, end: Sql): Sql => sql`${KEY} >= ${first} and ${KEY} < ${end}`;
const inTile = ({ from, to }: ReturnType<typeof keysIn>): Sql => between(sql`${from}::bigint`, sql`${to}::bigint`);

/** The nodes that an index finds for a tile, and the conditions that select the tile's nodes among them. */
function candidates({ tenant, tile, filters: { target, ...filters }, narrowBy }: TileNodes) {
  const owned = ofTenant(tenant, target);
  const select = (found: Sql, order: Sql) => (columns: Sql, most: number) =>
    sql`select ${columns} from access_node n where ${owned} and ${found} ${order} limit ${raw(most)} + 1`;
  const conditions = filterConditions(filters);
  if (!narrowBy) return { owned, conditions, select: select(inTile(keysIn(tile)), sql`order by ${KEY}`) };
  const [found] = filterConditions({ [narrowBy]: filters[narrowBy] });
  const tiles = sql`${2 ** tile.z}::float8`;
  const inSquare = [sql`floor(${ACROSS} * ${tiles}) = ${tile.x}::float8`, sql`floor(${DOWN} * ${tiles}) = ${tile.y}::float8`];
  return { owned, conditions: [...inSquare, ...conditions], select: select(found!, NARROW[narrowBy]) };
}

/** The nodes of a tile: {@link NodeOnMap}, one more than {@link MAX_NODES} if there are more. */
export function selectNodes(nodes: TileNodes): Statement {
  const { conditions, select } = candidates(nodes);
  const columns = raw([...SHOWN, 'position'].map((name) => `n.${name}`).join(', '));
  const found = isFiltered(nodes.filters)
    ? select(sql`${columns}, ${join(conditions, ' and ')} as matches`, MAX_READ)
    : select(columns, MAX_NODES);
  return statement('map-nodes')`
    select ${NODE}, n.position[0] as longitude, n.position[1] as latitude
    from (${found}) n ${isFiltered(nodes.filters) ? sql`where n.matches` : undefined}
    order by n.node_id limit ${raw(MAX_NODES)} + 1`;
}

/**
 * Adds the fields of the node to each cell with only one node; the position of the cell identifies the node.
 *
 * @param cells query that returns each `cell` with its counts and its mean position
 */
const withOnlyNodes = (cells: Sql, owned: Sql, conditions: readonly Sql[], more: readonly string[] = []): Sql => sql`
    select ${raw([...Object.keys(COUNTS), ...Object.keys(MIDDLE), ...more].map((name) => `r.${name}`).join(', '))}, o.*
    from (${cells}) r
    left join lateral (
      select ${NODE} from access_node n
      where ${owned} and ${join([sql`${KEY} = access_node_map_key(point(r.longitude, r.latitude))`, ...conditions], ' and ')} limit 1
    ) o on r.count = 1
    order by r.cell`;

/** Number of candidates for a tile: `count`, at most one more than {@link MAX_READ}. */
export const countCandidates = (nodes: TileNodes): Statement =>
  statement('map-count')`select count(*)::int as count from (${candidates(nodes).select(sql``, MAX_READ)}) counted`;

/** The cells of a tile: {@link Cell}. In a fixed order, so that the same nodes always produce the same bytes. */
export function selectCells(nodes: TileNodes): Statement {
  const { owned, conditions, select } = candidates(nodes);
  const across = sql`${cellsAcross(nodes.tile)}::float8`;
  const cell =
    conditions.length === 0
      ? sql`${KEY} >> ${keysIn(nodes.tile).cellShift}::int`
      : sql`case when ${join(conditions, ' and ')} then (floor(${ACROSS} * ${across})::bigint << 32) | floor(${DOWN} * ${across})::bigint end`;
  const cells = sql`select c.cell, ${CELL} from (${select(sql`${SEEN}, ${cell} as cell`, MAX_READ)}) c where c.cell is not null group by c.cell`;
  return statement('map-cells')`${withOnlyNodes(cells, owned, conditions)}`;
}

const inSample = (share: number): Sql => raw(`uuid_hash(n.node_id) & ${share - 1} = 0`);

/** Number of a tile's nodes in a sample: `count`, at most one more than {@link MAX_READ}. */
export const countSample = (tenant: string, tile: MapTile, target: AccessNodeFilters['target'], share: number): Statement =>
  statement('map-sample')`select count(*)::int as count from (
      select from access_node n where ${ofTenant(tenant, target)} and ${inTile(keysIn(tile))} and ${inSample(share)} limit ${raw(MAX_READ)} + 1
    ) sampled`;

/**
 * The cells of a tile that may have any number of nodes: {@link Cell}.
 *
 * The statement goes from the first node of a cell to the first node of the next, so it does not miss any cell, and divides
 * {@link MAX_READ} reads among the cells. A cell with fewer nodes than it has reads is counted; the others are estimated from the sample.
 */
export function selectEstimatedCells(tenant: string, tile: MapTile, { target, ...filters }: AccessNodeFilters, share: number): Statement {
  const owned = ofTenant(tenant, target);
  const conditions = filterConditions(filters);
  const { from, to, cellShift } = keysIn(tile);
  const [end, shift] = [sql`${to}::bigint`, sql`${cellShift}::int`];
  const next = (first: Sql): Sql =>
    sql`select ${KEY} as key from access_node n where ${owned} and ${between(first, end)} order by ${KEY} limit 1`;
  const inCell = sql`${owned} and ${between(sql`l.cell << ${shift}`, sql`(l.cell + 1) << ${shift}`)}`;
  const cells = sql`
    with recursive first as (
      (${next(sql`${from}::bigint`)})
      union all
      select (${next(sql`((f.key >> ${shift}) + 1) << ${shift}`)}) from first f where f.key is not null
    ), cell as materialized (
      select f.key >> ${shift} as cell, ${raw(MAX_READ)} / count(*) over () as most from first f where f.key is not null
    )
    select l.cell, ${raw(listOf(COUNTS, (_text, name) => `greatest(seen.${name}, sampled.${name} * ${share})::int`))},
      case when seen.read = l.most then true end as estimated,
      ${raw(listOf(MIDDLE, (_text, name) => `coalesce(sampled.${name}, seen.${name})`))}
    from cell l
    cross join lateral (
      select count(*) as read, ${CELL}
      from (
        select m.* from (select n.* from access_node n where ${inCell} order by ${KEY} limit l.most) n
        left join lateral (select ${SEEN} where ${join([sql`true`, ...conditions], ' and ')}) m on true
      ) c
    ) seen
    left join lateral (
      select ${CELL} from (select ${SEEN} from access_node n where ${join([inCell, inSample(share), ...conditions], ' and ')}) c
    ) sampled on seen.read = l.most
    where seen.count > 0 or sampled.count > 0`;
  return statement('map-estimated-cells')`${withOnlyNodes(cells, owned, conditions, ['estimated'])}`;
}
