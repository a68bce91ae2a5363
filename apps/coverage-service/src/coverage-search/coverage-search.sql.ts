import { jsonObjectText, type Statement } from '@fibre/database';
import type { AccessNode } from '../access-nodes/access-node.entity.js';
import { PRIVATE_FIELDS } from '../access-nodes/access-node.js';
import { MEMBERS } from '../access-nodes/access-node.sql.js';
import { areasAround, type Origin } from '../geography/search-area.js';
import type { SearchQuery } from './coverage-search.requests.js';

export type SearchFilters = Pick<SearchQuery, 'token' | 'technology' | 'status'>;

/** A production node near a point. */
export interface NearbyNode extends Pick<AccessNode, 'node_id' | 'latitude' | 'longitude'> {
  /** Straight line to the point in metres. */
  readonly straight: number;
  /** What everybody may see of it: text of a JSON object. */
  readonly json: string;
}

/** Of a node in production, what everybody may see. */
const PUBLIC_MEMBERS = MEMBERS.filter(({ name }) => !(PRIVATE_FIELDS as readonly string[]).includes(name));

/** Square of the straight line to the point in metres. */
const SQUARED = ['x', 'y', 'z']
  .map((axis, index) => `(n.${axis} - $${index + 1}::float8) * (n.${axis} - $${index + 1}::float8)`)
  .join(' + ');

const NODE = `n.node_id, n.latitude, n.longitude, sqrt(${SQUARED}) as straight, ${jsonObjectText(PUBLIC_MEMBERS)} as json`;

const WITHIN_RADIUS = `${SQUARED} <= $6::float8 * $6::float8`;

const FILTERS = `
  ($8::text is null or n.token = $8)
  and ($9::text is null or lower(n.technology collate "C") = lower($9 collate "C"))
  and ($10::text is null or n.status = $10)`;

function valuesOf(origin: Origin, radius: number, count: number, { token, technology, status }: SearchFilters): unknown[] {
  const areas = areasAround(origin, radius);
  const [boxes, centers] = [areas.map(({ box }) => box).join(';'), areas.map(({ center }) => `"${center}"`).join(',')];
  return [...origin.position, `{${boxes}}`, `{${centers}}`, radius, count, token ?? null, technology ?? null, status ?? null];
}

/**
 * The `count` production nodes nearest to a point by straight line, ties by node_id, out to `radius` metres.
 *
 * The index finds every node in the areas, so the cost is that of all nodes there; the straight line decides among them.
 */
export const selectNearby = (origin: Origin, radius: number, count: number, filters: SearchFilters): Statement => ({
  name: 'coverage-search-nearby',
  text: `
    select ${NODE}
    from unnest($4::box[], $5::point[]) as area(box, center)
    join access_node n on n.position <@ area.box
    where n.collection = 'nodes' and ${WITHIN_RADIUS} and ${FILTERS}
    order by straight, n.node_id
    limit $7::int`,
  values: valuesOf(origin, radius, count, filters),
});

/**
 * The `count` production nodes of each area nearest to a point in degrees, out to `radius` metres.
 *
 * The index brings the nodes in the order of their degrees and stops at the last one asked for, so the cost does not grow with
 * the radius. Degrees of longitude are shorter than those of latitude: these nodes are near, but others may be nearer.
 */
export const selectClosestInDegrees = (origin: Origin, radius: number, count: number, filters: SearchFilters): Statement => ({
  name: 'coverage-search-closest-in-degrees',
  text: `
    select closest.*
    from unnest($4::box[], $5::point[]) as area(box, center)
    cross join lateral (
      select ${NODE}
      from access_node n
      where n.collection = 'nodes' and n.position <@ area.box
        -- The planner takes a case for every second row. It would take the same conditions, not in a case, for hardly any, and sort all.
        and case when ${WITHIN_RADIUS} then ${FILTERS} else false end
      order by n.position <-> area.center
      limit $7::int
    ) as closest`,
  values: valuesOf(origin, radius, count, filters),
});
