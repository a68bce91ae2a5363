import { type Statement, timestampText } from '@fibre/database';
import { boxesAround, type Origin } from '../geography/search-area.js';

export interface SearchFilters {
  readonly token?: string;
  readonly technology?: string;
  readonly status?: string;
}

/** Square of the straight line to the point in metres. */
const SQUARED = ['x', 'y', 'z']
  .map((axis, index) => `(n.${axis} - $${index + 1}::float8) * (n.${axis} - $${index + 1}::float8)`)
  .join(' + ');

/** A production node near a point. */
export interface NearbyNode {
  readonly node_id: string;
  readonly relation_id: string;
  readonly token: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly technology: string | null;
  readonly status: string;
  readonly country: string | null;
  readonly address_id: string | null;
  readonly lot_id: string | null;
  readonly tenant: string;
  readonly created_at: string;
  readonly modified_at: string;
  /** Straight line to the point in metres. */
  readonly straight: number;
}

/**
 * The `count` production nodes nearest to a point by straight line, ties by node_id, out to `radius` metres.
 *
 * The index finds what lies in the boxes, so the cost is that of their nodes, and the straight line decides among them.
 */
export const selectNearby = (origin: Origin, radius: number, count: number, { token, technology, status }: SearchFilters): Statement => ({
  name: 'coverage-search-nearby',
  text: `
    select n.node_id, n.relation_id, n.token, n.latitude, n.longitude, n.technology, n.status, n.country,
      n.address_id, n.lot_id, n.tenant,
      ${timestampText('n.created_at')} as created_at, ${timestampText('n.modified_at')} as modified_at,
      sqrt(${SQUARED}) as straight
    from unnest($4::box[]) as area(box)
    join access_node n on n.position <@ area.box
    where n.collection = 'nodes'
      and ${SQUARED} <= $5::float8 * $5::float8
      and ($7::text is null or n.token = $7)
      and ($8::text is null or lower(n.technology collate "C") = lower($8 collate "C"))
      and ($9::text is null or n.status = $9)
    order by straight, n.node_id
    limit $6::int`,
  values: [
    ...origin.position,
    `{${boxesAround(origin, radius).join(';')}}`,
    radius,
    count,
    token ?? null,
    technology ?? null,
    status ?? null,
  ],
});
