import { bound, jsonObjectText, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import type { AccessNode } from '../access-nodes/access-node.entity.js';
import type { Status } from '../access-nodes/access-node.js';
import { OFFER, OFFERED_MEMBERS } from '../access-nodes/access-node.sql.js';
import { IS_CONNECTED, isAvailableBy } from '../access-nodes/access-node-filters.sql.js';
import { bestByWords } from './address-words.sql.js';
import { areasAround, type Origin } from '../geography/search-area.js';
import type { SearchTerms } from './coverage-search.requests.js';

export type SearchFilters = Pick<SearchTerms, 'token' | 'technology' | 'status' | 'available_until' | 'connected' | 'offer'>;

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

/** Square of the straight-line distance in metres to the center of the circle. */
const SQUARED = ['x', 'y', 'z'].map((axis) => `(n.${axis} - area.${axis}) * (n.${axis} - area.${axis})`).join(' + ');

const NODE = raw(`n.node_id, n.latitude, n.longitude, sqrt(${SQUARED}) as straight, ${jsonObjectText(OFFERED_MEMBERS)} as json`);

const WITHIN_RADIUS = raw(`${SQUARED} <= area.radius * area.radius`);

/** The areas of all circles in degrees; a circle has one or two. */
function areasOf(circles: readonly Circle[]): Sql {
  const areas = circles.flatMap(({ origin, radius }, circle) =>
    areasAround(origin, radius).map(({ box, center }) => ({ circle, position: origin.position, radius, box, center: `"${center}"` })),
  );
  type Area = (typeof areas)[number];
  const arrayOf = (member: (area: Area) => unknown, separator = ','): string => `{${areas.map(member).join(separator)}}`;
  const axis = (index: number): string => arrayOf(({ position }) => position[index]);
  return sql`unnest(${arrayOf(({ circle }) => circle)}::int[], ${axis(0)}::float8[], ${axis(1)}::float8[], ${axis(2)}::float8[], ${arrayOf(({ radius }) => radius)}::float8[], ${arrayOf(({ box }) => box, ';')}::box[], ${arrayOf(({ center }) => center)}::point[])
      as area(circle, x, y, z, radius, box, center)`;
}

/** A node with this status cannot be sold, so that only a search for this status finds it. */
const NOT_FOUND: Status = 'terminated';

/** The filters on a node, and whether anything can match them. */
function filtersOf({ available_until, ...filters }: SearchFilters): { matches: Sql; isOffered: Sql } {
  const { token, technology, status, connected, offer } = filters;
  const [$token, $technology, $status, $connected, $offer] = [token, technology, status, connected, offer].map((value) =>
    bound(value ?? null),
  ) as [Sql, Sql, Sql, Sql, Sql];
  return {
    matches: sql`
  (${$token}::text is null or n.token = ${$token})
  and (${$technology}::text is null or lower(n.technology collate "C") = lower(${$technology} collate "C"))
  and coalesce(n.status = ${$status}::text, n.status <> ${raw(`'${NOT_FOUND}'`)})
  and ${isAvailableBy(bound(available_until ?? null))}
  and (${$connected}::boolean is null or ${IS_CONNECTED} = ${$connected}::boolean)
  and (${$offer}::text is null or ${raw(OFFER)} = ${$offer})`,
    // A search for a technology that nobody offers would otherwise read every node in the circle.
    isOffered: sql`${$technology}::text is null
      or exists (select from access_node t where t.collection = 'nodes' and lower(t.technology collate "C") = lower(${$technology} collate "C"))`,
  };
}

/**
 * The `count` production nodes in each area that are nearest to its circle's center in a straight line, within the radius; ties are
 * ordered by node_id.
 *
 * The index finds all nodes in the areas, so the cost depends on their number; the nearest are then chosen by straight-line distance. A search
 * of which this is the only statement takes 2.9 ms among 100,000 nodes and 3.2 ms among ten million (docs/benchmark-tables.md); docs/adr/0001
 * says what was tried instead.
 */
export function selectNearby(circles: readonly Circle[], count: number, filters: SearchFilters): Statement {
  const { matches, isOffered } = filtersOf(filters);
  return statement('coverage-search-nearby')`
    select area.circle, nearby.*
    from ${areasOf(circles)}
    cross join lateral (
      select ${NODE}
      from access_node n
      where n.collection = 'nodes' and n.position <@ area.box and ${WITHIN_RADIUS} and ${matches}
      order by straight, n.node_id
      limit ${count}::int
    ) as nearby
    where ${isOffered}`;
}

/**
 * The `count` production nodes in each area that are nearest to its circle's center in degrees, within the radius.
 *
 * The index returns nodes in order of their distance in degrees, and the scan stops when there are enough, so the cost does not grow with
 * the radius. A degree of longitude is shorter than a degree of latitude: these nodes are near, but others may be nearer.
 */
export function selectClosestInDegrees(circles: readonly Circle[], count: number, filters: SearchFilters): Statement {
  const { matches, isOffered } = filtersOf(filters);
  return statement('coverage-search-closest-in-degrees')`
    select area.circle, closest.*
    from ${areasOf(circles)}
    cross join lateral (
      select ${NODE}
      from access_node n
      where n.collection = 'nodes' and n.position <@ area.box
        -- The planner expects a case expression to match every second row. With plain conditions it would expect hardly any match, and sort them all.
        and case when ${WITHIN_RADIUS} then ${matches} else false end
      order by n.position <-> area.center
      limit ${count}::int
    ) as closest
    where ${isOffered}`;
}

/** A node at one of several addresses. */
export interface NodeOfAddress {
  /** Index of the address. */
  readonly address: number;
  readonly json: string;
}

/** The first `count` production nodes at each address, by node_id: {@link NodeOfAddress}. */
export const selectAtAddresses = (addresses: readonly string[], count: number, filters: SearchFilters): Statement =>
  statement('coverage-search-at-addresses')`
    select a.place::int - 1 as address, found.json
    from unnest(${addresses}::text[]) with ordinality as a(address_id, place)
    cross join lateral (
      select n.node_id, ${raw(jsonObjectText(OFFERED_MEMBERS))} as json
      from access_node n
      where n.collection = 'nodes' and n.address_id = a.address_id and ${filtersOf(filters).matches}
      order by n.node_id
      limit ${count}::int
    ) as found
    order by a.place, found.node_id`;

/** Maximum number of nodes by words. */
export const MAX_BY_WORDS = 10;

/**
 * The nodes whose address has all words of a text, as `json`, best first: one more than a response has, if there are more. `is_cut` if nodes
 * were left out that might be among the best; without nodes, one row has only that.
 */
export const selectByWords = (text: string, filters: SearchFilters): Statement =>
  statement('coverage-search-by-words')`
    with ${bestByWords(bound(text), sql`n.collection = 'nodes' and ${filtersOf(filters).matches}`, MAX_BY_WORDS + 1)}
    select f.json, r.is_cut
    from rest r
    left join (
      select b.*, ${raw(jsonObjectText(OFFERED_MEMBERS))} as json from best b join access_node n on n.node_id = b.node_id
    ) f on true
    order by f.is_begun, f.length, f.node_id`;
