import { sqlMigration } from '@fibre/database';

/** Latitude and longitude as doubles; the columns keep the digits that the client sent. */
const [LATITUDE, LONGITUDE] = ['latitude::double precision', 'longitude::double precision'];
/** Radius of curvature across the meridian (WGS84), in metres. */
const NORMAL = `6378137.0 / sqrt(1 - 0.0066943799901413165 * sind(${LATITUDE}) * sind(${LATITUDE}))`;

/**
 * Coverage access nodes of both collections.
 *
 * Geography needs no extension: a GiST index on `position` finds the nodes in a box of degrees, and `x`, `y`, `z` (WGS84, earth-centred,
 * in metres) give the distance. See docs/adr/0001-geography-without-extensions.md.
 */
export const AccessNode1763683200000 = sqlMigration('AccessNode1763683200000', {
  up: [
    `create table access_node (
      node_id            uuid           not null,
      tenant             text           not null,
      relation_id        uuid           not null,
      collection         text           not null,
      token              text           not null,
      latitude           numeric        not null,
      longitude          numeric        not null,
      technology         text,
      status             text           not null,
      customer_reference text,
      country            text,
      address_id         text,
      lot_id             text,
      version            integer        not null default 1,
      created_at         timestamptz(3) not null default date_trunc('milliseconds', now()),
      modified_at        timestamptz(3) not null default date_trunc('milliseconds', now()),
      position           point            not null generated always as (point(${LONGITUDE}, ${LATITUDE})) stored,
      x                  double precision not null generated always as (${NORMAL} * cosd(${LATITUDE}) * cosd(${LONGITUDE})) stored,
      y                  double precision not null generated always as (${NORMAL} * cosd(${LATITUDE}) * sind(${LONGITUDE})) stored,
      z                  double precision not null generated always as (${NORMAL} * (1 - 0.0066943799901413165) * sind(${LATITUDE})) stored,
      constraint access_node_pkey primary key (node_id),
      constraint access_node_collection_check check (collection in ('nodes', 'prenodes')),
      constraint access_node_token_check check (token in ('planned', 'construction', 'operation')),
      constraint access_node_latitude_check check (latitude >= -90 and latitude <= 90),
      constraint access_node_longitude_check check (longitude >= -180 and longitude <= 180)
    )`,
    `create unique index access_node_customer_reference_key
    on access_node (tenant, relation_id, collection, customer_reference) where customer_reference is not null`,
    `create index access_node_listing_idx on access_node (tenant, collection, node_id)`,
    `create index access_node_relation_idx on access_node (tenant, relation_id, collection, node_id)`,
    `create index access_node_modified_at_idx on access_node (tenant, collection, modified_at)`,
    `create index access_node_position_idx on access_node using gist (position) where collection = 'nodes'`,
  ],
  down: [`drop table access_node`],
});
