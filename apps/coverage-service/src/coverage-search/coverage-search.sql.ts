import { jsonObjectText, type Statement } from '@fibre/database';
import type { AccessNode } from '../access-nodes/access-node.entity.js';
import { PUBLIC_MEMBERS } from '../access-nodes/access-node.sql.js';
import { areasAround, type Origin } from '../geography/search-area.js';
import type { SearchTerms } from './coverage-search.requests.js';

export type SearchFilters = Pick<SearchTerms, 'token' | 'technology' | 'status'>;

/** The circle to search; the radius is in metres. */
export interface Circle {
  readonly origin: Origin;
  readonly radius: number;
}

/** A production node near the center of a circle. */
export interface NearbyNode extends Pick<AccessNode, 'node_id' | 'latitude' | 'longitude'> {
  /** Straight-line distance to that center in metres. */
  readonly straight: number;
  /** JSON of its public fields. */
  readonly json: string;
}

/** A node in one of several circles. */
export type NodeOfCircle = NearbyNode & { readonly circle: number };

/** The areas of all circles in degrees; a circle has one or two. */
const AREAS = `unnest($1::int[], $2::float8[], $3::float8[], $4::float8[], $5::float8[], $6::box[], $7::point[])
      as area(circle, x, y, z, radius, box, center)`;

/** Square of the straight-line distance in metres to the center of the circle. */
const SQUARED = ['x', 'y', 'z'].map((axis) => `(n.${axis} - area.${axis}) * (n.${axis} - area.${axis})`).join(' + ');

const NODE = `n.node_id, n.latitude, n.longitude, sqrt(${SQUARED}) as straight, ${jsonObjectText(PUBLIC_MEMBERS)} as json`;

const WITHIN_RADIUS = `${SQUARED} <= area.radius * area.radius`;

const FILTERS = `
  ($9::text is null or n.token = $9)
  and ($10::text is null or lower(n.technology collate "C") = lower($10 collate "C"))
  and ($11::text is null or n.status = $11)`;

/** A search for a technology that nobody offers would otherwise read every node in the circle. */
const OFFERED = `
    where $10::text is null
      or exists (select from access_node t where t.collection = 'nodes' and lower(t.technology collate "C") = lower($10 collate "C"))`;

function valuesOf(circles: readonly Circle[], count: number, { token, technology, status }: SearchFilters): unknown[] {
  const areas = circles.flatMap(({ origin, radius }, circle) =>
    areasAround(origin, radius).map((area) => [circle, ...origin.position, radius, area.box, `"${area.center}"`]),
  );
  const arrays = [0, 1, 2, 3, 4, 5, 6].map((column) => `{${areas.map((area) => area[column]).join(column === BOXES ? ';' : ',')}}`);
  return [...arrays, count, token ?? null, technology ?? null, status ?? null];
}

/** Index of the array whose elements are separated by semicolons. */
const BOXES = 5;

/**
 * The `count` production nodes in each area that are nearest to its circle's center in a straight line, within the radius; ties are
 * ordered by node_id.
 *
 * The index finds all nodes in the areas, so the cost depends on their number; the nearest are then chosen by straight-line distance.
 */
export const selectNearby = (circles: readonly Circle[], count: number, filters: SearchFilters): Statement => ({
  name: 'coverage-search-nearby',
  text: `
    select area.circle, nearby.*
    from ${AREAS}
    cross join lateral (
      select ${NODE}
      from access_node n
      where n.collection = 'nodes' and n.position <@ area.box and ${WITHIN_RADIUS} and ${FILTERS}
      order by straight, n.node_id
      limit $8::int
    ) as nearby
    ${OFFERED.trim()}`,
  values: valuesOf(circles, count, filters),
});

/**
 * The `count` production nodes in each area that are nearest to its circle's center in degrees, within the radius.
 *
 * The index returns nodes in order of their distance in degrees, and the scan stops when there are enough, so the cost does not grow with
 * the radius. A degree of longitude is shorter than a degree of latitude: these nodes are near, but others may be nearer.
 */
export const selectClosestInDegrees = (circles: readonly Circle[], count: number, filters: SearchFilters): Statement => ({
  name: 'coverage-search-closest-in-degrees',
  text: `
    select area.circle, closest.*
    from ${AREAS}
    cross join lateral (
      select ${NODE}
      from access_node n
      where n.collection = 'nodes' and n.position <@ area.box
        -- The planner expects a case expression to match every second row. With plain conditions it would expect hardly any match, and sort them all.
        and case when ${WITHIN_RADIUS} then ${FILTERS} else false end
      order by n.position <-> area.center
      limit $8::int
    ) as closest
    ${OFFERED.trim()}`,
  values: valuesOf(circles, count, filters),
});
