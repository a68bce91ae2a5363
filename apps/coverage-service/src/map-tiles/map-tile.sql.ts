import { type Statement, statementOf } from '@fibre/database';
import type { AccessNode } from '../access-nodes/access-node.entity.js';
import { type AccessNodeFilters, filterConditions } from '../access-nodes/access-node.sql.js';
import { cellsAcross, keysIn, type KeyRange, type MapTile } from '../geography/map-tile.js';

/** Most nodes that a statement looks at; beyond, counts are estimates. */
export const MAX_READ = 25_000;
/** One node in so many, from the most exact sample to the one that is small enough for the largest table; each has an index. */
export const SAMPLES = [32, 256, 2_048] as const;

/** The nodes of a part of a tile. */
export interface Cell {
  /** The middle of them, in degrees. */
  readonly longitude: number;
  readonly latitude: number;
  readonly count: number;
}
export type EstimatedCell = Cell & { readonly estimated: true | null };

/** A node as the map shows it. */
export interface NodeOnMap extends Pick<AccessNode, 'node_id' | 'token' | 'technology' | 'status'> {
  readonly longitude: number;
  readonly latitude: number;
}

/** Indexed, because the function costs more than the rest of a row. */
const KEY = 'access_node_map_key(n.position)';
/** The place of a node on the map, by the same arithmetic as its key. */
const ACROSS = '((n.position[0] + 180) / 360 - floor((n.position[0] + 180) / 360))';
const DOWN = '((1 - asinh(tand(n.position[1])) / pi()) / 2)';
const MIDDLE = 'avg(c.position[0]) as longitude, avg(c.position[1]) as latitude';

/** Filters that have an index of their own, the one that leaves the fewest nodes first; in its order, or else the planner may read the whole table. */
const NARROW = { customer_reference: '', relation_id: 'order by n.node_id', modified_since: 'order by n.modified_at' } as const;
export type NarrowFilter = keyof typeof NARROW;

/** Those among the filters that may leave few nodes of a large tile. */
export const narrowFilters = (filters: AccessNodeFilters): NarrowFilter[] =>
  (Object.keys(NARROW) as NarrowFilter[]).filter((name) => filters[name] !== undefined);

/** Where a statement finds its nodes; {@link valuesOf} is what it binds first. */
const OF_TENANT = 'n.tenant = $1 and n.collection = $2';
const IN_TILE = `${KEY} >= $3::bigint and ${KEY} < $4::bigint`;
const valuesOf = (tenant: string, target: AccessNodeFilters['target'], { from, to }: KeyRange): unknown[] => [tenant, target, from, to];

/** Conditions beside the collection. */
const conditionsOf = ({ target: _target, ...filters }: AccessNodeFilters, values: unknown[]): string[] => filterConditions(filters, values);

/** The nodes that a tile shows, and how a statement finds them. */
export interface TileNodes {
  readonly tenant: string;
  readonly tile: MapTile;
  readonly filters: AccessNodeFilters;
  /** The filter whose index leads to them, wherever they are; absent: the index of the tiles. */
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

/** Conditions that decide which candidates the tile shows. */
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

/** How many candidates a tile has: `count`, at most one more than {@link MAX_READ}. */
export function countCandidates(nodes: TileNodes): Statement {
  const found = candidates(nodes);
  return statementOf('map-count', `select count(*)::int as count from (${selectCandidates('', found)}) counted`, found.values);
}

/** The cells of a tile: {@link Cell}. In one order, so that the same nodes make the same bytes. */
export function selectCells(nodes: TileNodes): Statement {
  const found = candidates(nodes);
  const { values } = found;
  const conditions = matching(nodes, values).join(' and ');
  const byPlace = (): string => {
    const $cells = `$${values.push(cellsAcross(nodes.tile))}::float8`;
    return `case when ${conditions} then (floor(${ACROSS} * ${$cells})::bigint << 32) | floor(${DOWN} * ${$cells})::bigint end`;
  };
  const cell = conditions === '' ? `${KEY} >> $${values.push(keysIn(nodes.tile).cellShift)}::int` : byPlace();
  const text = `
    select count(*)::int as count, ${MIDDLE}
    from (${selectCandidates(`n.position, ${cell} as cell`, found)}) c
    where c.cell is not null
    group by c.cell
    order by c.cell`;
  return statementOf('map-cells', text, values);
}

/** The nodes of a tile: {@link NodeOnMap}, no more than `limit`. */
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

/** How many nodes of a tile are in a sample: `count`, at most one more than {@link MAX_READ}. */
export const countSample = (tenant: string, tile: MapTile, target: AccessNodeFilters['target'], share: number): Statement =>
  statementOf(
    'map-sample',
    `select count(*)::int as count from (
      select from access_node n where ${OF_TENANT} and ${IN_TILE} and ${inSample(share)} limit ${MAX_READ} + 1
    ) sampled`,
    valuesOf(tenant, target, keysIn(tile)),
  );

/**
 * The cells of a tile of any number of nodes: {@link EstimatedCell}.
 *
 * It goes from the first node of a cell to the first of the next, so no cell is missed, and looks at as many nodes of each as make
 * {@link MAX_READ} of all cells. A cell that has no more is counted; of the others the sample is.
 */
export function selectEstimatedCells(tenant: string, tile: MapTile, filters: AccessNodeFilters, share: number): Statement {
  const keys = keysIn(tile);
  const values = valuesOf(tenant, filters.target, keys);
  const conditions = conditionsOf(filters, values);
  const $shift = `$${values.push(keys.cellShift)}::int`;
  const next = (from: string): string =>
    `select ${KEY} as key from access_node n where ${OF_TENANT} and ${KEY} >= ${from} and ${KEY} < $4::bigint order by ${KEY} limit 1`;
  const inCell = `${OF_TENANT} and ${KEY} >= l.cell << ${$shift} and ${KEY} < (l.cell + 1) << ${$shift}`;
  const text = `
    with recursive first as (
      (${next('$3::bigint')})
      union all
      select (${next(`((f.key >> ${$shift}) + 1) << ${$shift}`)}) from first f where f.key is not null
    ), cell as materialized (
      select f.key >> ${$shift} as cell, ${MAX_READ} / count(*) over () as most from first f where f.key is not null
    )
    select greatest(seen.count, sampled.count * ${share})::int as count,
      case when seen.read = l.most then true end as estimated,
      coalesce(sampled.longitude, seen.longitude) as longitude, coalesce(sampled.latitude, seen.latitude) as latitude
    from cell l
    cross join lateral (
      select count(*) as read, count(*) filter (where c.matches) as count,
        avg(c.position[0]) filter (where c.matches) as longitude, avg(c.position[1]) filter (where c.matches) as latitude
      from (select n.position, ${['true', ...conditions].join(' and ')} as matches from access_node n where ${inCell} order by ${KEY} limit l.most) c
    ) seen
    left join lateral (
      select count(*) as count, ${MIDDLE}
      from (select n.position from access_node n where ${[inCell, inSample(share), ...conditions].join(' and ')}) c
    ) sampled on seen.read = l.most
    where seen.count > 0 or sampled.count > 0
    order by l.cell`;
  return statementOf('map-estimated-cells', text, values);
}
