import { type Statement, statementOf } from '@fibre/database';
import { type Token, TOKENS } from '../access-nodes/access-node.js';
import type { AccessNode } from '../access-nodes/access-node.entity.js';
import { type AccessNodeFilters, filterConditions } from '../access-nodes/access-node.sql.js';
import { cellsAcross, keysIn, type KeyRange, type MapTile } from '../geography/map-tile.js';

/** Maximum number of nodes that a statement reads; if there are more, counts are estimates. */
export const MAX_READ = 25_000;
/** Sampling rates (one node in this many), from the most exact to the one for the largest tables; each has an index. */
export const SAMPLES = [32, 256, 2_048] as const;

/** A node on the map. */
export interface NodeOnMap extends Pick<AccessNode, 'node_id' | 'token' | 'technology' | 'status'> {
  readonly longitude: number;
  readonly latitude: number;
}

/** The nodes in a part of a tile: counts by stage, the mean position in degrees, and the fields of the node if there is only one. */
export interface Cell extends NodeOnMap, Readonly<Record<Token, number>> {
  readonly count: number;
  readonly estimated?: true | null;
}

/** The index contains the key, because computing it costs more than reading the rest of a row. */
const KEY = 'access_node_map_key(n.position)';
/** The position of a node on the map, computed in the same way as its key. */
const ACROSS = '((n.position[0] + 180) / 360 - floor((n.position[0] + 180) / 360))';
const DOWN = '((1 - asinh(tand(n.position[1])) / pi()) / 2)';
const OF_TENANT = 'n.tenant = $1 and n.collection = $2';
/** The counts of the nodes `c` in a cell. */
const COUNTS = {
  count: 'count(c.token)',
  ...Object.fromEntries(TOKENS.map((token) => [token, `count(*) filter (where c.token = '${token}')`])),
};
const MIDDLE = { longitude: 'avg(c.position[0])', latitude: 'avg(c.position[1])' };
/** The columns of a node that an index contains. */
const SEEN = 'n.position, n.token';
const listOf = (columns: Record<string, string>, write = (sql: string) => sql): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${write(sql)} as ${name}`)
    .join(', ');
const CELL = `${listOf(COUNTS, (sql) => `(${sql})::int`)}, ${listOf(MIDDLE)}`;

/**
 * Adds the fields of the node to each cell with only one node; the position of the cell identifies the node.
 *
 * @param cells query that returns each `cell` with its counts and its mean position
 */
const withOnlyNodes = (cells: string, conditions: readonly string[], more: readonly string[] = []): string => `
    select ${[...Object.keys(COUNTS), ...Object.keys(MIDDLE), ...more].map((name) => `r.${name}`).join(', ')}, o.*
    from (${cells}) r
    left join lateral (
      select n.node_id, n.token, n.technology, n.status from access_node n
      where ${[OF_TENANT, `${KEY} = access_node_map_key(point(r.longitude, r.latitude))`, ...conditions].join(' and ')} limit 1
    ) o on r.count = 1
    order by r.cell`;

/** Filters that have an index, most selective first, each with its index's order; without it, the planner might read the whole table. */
const NARROW = {
  customer_reference: '',
  address_id: '',
  relation_id: 'order by n.node_id',
  modified_since: 'order by n.modified_at',
} as const;
export type NarrowFilter = keyof typeof NARROW;

/** The filters that may leave only a few nodes of a large tile. */
export const narrowFilters = (filters: AccessNodeFilters): NarrowFilter[] =>
  (Object.keys(NARROW) as NarrowFilter[]).filter((name) => filters[name] !== undefined);

/** Condition for the nodes of a tile; the statement binds {@link valuesOf} first. */
const IN_TILE = `${KEY} >= $3::bigint and ${KEY} < $4::bigint`;
const valuesOf = (tenant: string, target: AccessNodeFilters['target'], { from, to }: KeyRange): unknown[] => [tenant, target, from, to];

/** Conditions for all filters except the collection. */
const conditionsOf = ({ target: _target, ...filters }: AccessNodeFilters, values: unknown[]): string[] => filterConditions(filters, values);

/** The nodes of a tile, and how a statement finds them. */
export interface TileNodes {
  readonly tenant: string;
  readonly tile: MapTile;
  readonly filters: AccessNodeFilters;
  /** The filter whose index finds the nodes; if absent, the index on map keys finds them. */
  readonly narrowBy: NarrowFilter | undefined;
}

/** The nodes that an index finds for a tile. */
function candidates({ tenant, tile, filters: { target, ...filters }, narrowBy }: TileNodes) {
  if (!narrowBy) return { where: `${OF_TENANT} and ${IN_TILE}`, order: `order by ${KEY}`, values: valuesOf(tenant, target, keysIn(tile)) };
  const values: unknown[] = [tenant, target];
  const where = [OF_TENANT, ...filterConditions({ [narrowBy]: filters[narrowBy] }, values)].join(' and ');
  return { where, order: NARROW[narrowBy], values };
}

const selectCandidates = (columns: string, { where, order }: ReturnType<typeof candidates>): string =>
  `select ${columns} from access_node n where ${where} ${order} limit ${MAX_READ} + 1`;

/** Conditions that select the tile's nodes among the candidates. */
function matching({ tile, filters, narrowBy }: TileNodes, values: unknown[]): string[] {
  if (!narrowBy) return conditionsOf(filters, values);
  const bind = (value: number): string => `$${values.push(value)}::float8`;
  const $tiles = bind(2 ** tile.z);
  return [
    `floor(${ACROSS} * ${$tiles}) = ${bind(tile.x)}`,
    `floor(${DOWN} * ${$tiles}) = ${bind(tile.y)}`,
    ...conditionsOf(filters, values),
  ];
}

/** Number of candidates for a tile: `count`, at most one more than {@link MAX_READ}. */
export function countCandidates(nodes: TileNodes): Statement {
  const found = candidates(nodes);
  return statementOf('map-count', `select count(*)::int as count from (${selectCandidates('', found)}) counted`, found.values);
}

/** The cells of a tile: {@link Cell}. In a fixed order, so that the same nodes always produce the same bytes. */
export function selectCells(nodes: TileNodes): Statement {
  const found = candidates(nodes);
  const { values } = found;
  const conditions = matching(nodes, values);
  const byPlace = (): string => {
    const $cells = `$${values.push(cellsAcross(nodes.tile))}::float8`;
    return `case when ${conditions.join(' and ')} then (floor(${ACROSS} * ${$cells})::bigint << 32) | floor(${DOWN} * ${$cells})::bigint end`;
  };
  const cell = conditions.length === 0 ? `${KEY} >> $${values.push(keysIn(nodes.tile).cellShift)}::int` : byPlace();
  const cells = `select c.cell, ${CELL} from (${selectCandidates(`${SEEN}, ${cell} as cell`, found)}) c where c.cell is not null group by c.cell`;
  return statementOf('map-cells', withOnlyNodes(cells, conditions), values);
}

/** The nodes of a tile: {@link NodeOnMap}, at most `limit`. */
export function selectNodes(nodes: TileNodes, limit: number): Statement {
  const found = candidates(nodes);
  const conditions = ['true', ...matching(nodes, found.values)].join(' and ');
  const columns = `n.node_id, n.token, n.technology, n.status, n.position, ${conditions} as matches`;
  const text = `
    select c.node_id, c.token, c.technology, c.status, c.position[0] as longitude, c.position[1] as latitude
    from (${selectCandidates(columns, found)}) c
    where c.matches
    order by c.node_id
    limit $${found.values.push(limit)}::int`;
  return statementOf('map-nodes', text, found.values);
}

const inSample = (share: number): string => `uuid_hash(n.node_id) & ${share - 1} = 0`;

/** Number of a tile's nodes in a sample: `count`, at most one more than {@link MAX_READ}. */
export const countSample = (tenant: string, tile: MapTile, target: AccessNodeFilters['target'], share: number): Statement =>
  statementOf(
    'map-sample',
    `select count(*)::int as count from (
      select from access_node n where ${OF_TENANT} and ${IN_TILE} and ${inSample(share)} limit ${MAX_READ} + 1
    ) sampled`,
    valuesOf(tenant, target, keysIn(tile)),
  );

/**
 * The cells of a tile that may have any number of nodes: {@link Cell}.
 *
 * The statement goes from the first node of a cell to the first node of the next, so it does not miss any cell, and divides
 * {@link MAX_READ} reads among the cells. A cell with fewer nodes than it has reads is counted; the others are estimated from the sample.
 */
export function selectEstimatedCells(tenant: string, tile: MapTile, filters: AccessNodeFilters, share: number): Statement {
  const keys = keysIn(tile);
  const values = valuesOf(tenant, filters.target, keys);
  const conditions = conditionsOf(filters, values);
  const $shift = `$${values.push(keys.cellShift)}::int`;
  const next = (from: string): string =>
    `select ${KEY} as key from access_node n where ${OF_TENANT} and ${KEY} >= ${from} and ${KEY} < $4::bigint order by ${KEY} limit 1`;
  const inCell = `${OF_TENANT} and ${KEY} >= l.cell << ${$shift} and ${KEY} < (l.cell + 1) << ${$shift}`;
  const cells = `
    with recursive first as (
      (${next('$3::bigint')})
      union all
      select (${next(`((f.key >> ${$shift}) + 1) << ${$shift}`)}) from first f where f.key is not null
    ), cell as materialized (
      select f.key >> ${$shift} as cell, ${MAX_READ} / count(*) over () as most from first f where f.key is not null
    )
    select l.cell, ${Object.keys(COUNTS)
      .map((name) => `greatest(seen.${name}, sampled.${name} * ${share})::int as ${name}`)
      .join(', ')},
      case when seen.read = l.most then true end as estimated,
      ${Object.keys(MIDDLE)
        .map((name) => `coalesce(sampled.${name}, seen.${name}) as ${name}`)
        .join(', ')}
    from cell l
    cross join lateral (
      select count(*) as read, ${CELL}
      from (
        select m.* from (select n.* from access_node n where ${inCell} order by ${KEY} limit l.most) n
        left join lateral (select ${SEEN} where ${['true', ...conditions].join(' and ')}) m on true
      ) c
    ) seen
    left join lateral (
      select ${CELL} from (select ${SEEN} from access_node n where ${[inCell, inSample(share), ...conditions].join(' and ')}) c
    ) sampled on seen.read = l.most
    where seen.count > 0 or sampled.count > 0`;
  return statementOf('map-estimated-cells', withOnlyNodes(cells, conditions, ['estimated']), values);
}
