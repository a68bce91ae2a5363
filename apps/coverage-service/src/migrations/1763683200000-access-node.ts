import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Coverage access nodes of both collections.
 *
 * Geography stands on the extension `cube` (trusted, so no superuser is needed): WGS84 earth-centred coordinates
 * in metres, whose straight-line distance a GiST index orders exactly. See docs/adr/0001-geography-on-cube.md.
 * The function has a parsed body (`return`), so that a dump can be restored under any search path.
 */
export class AccessNode1763683200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create extension if not exists cube`);

    await runner.query(`
      create function earth_centred(latitude double precision, longitude double precision) returns cube
      language sql immutable parallel safe
      return cube(array[
        6378137.0 / sqrt(1 - 0.0066943799901413165 * sind(latitude)^2) * cosd(latitude) * cosd(longitude),
        6378137.0 / sqrt(1 - 0.0066943799901413165 * sind(latitude)^2) * cosd(latitude) * sind(longitude),
        6378137.0 / sqrt(1 - 0.0066943799901413165 * sind(latitude)^2) * (1 - 0.0066943799901413165) * sind(latitude)])`);

    await runner.query(`
      create table access_node (
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
        ecef               cube           not null
          generated always as (earth_centred(latitude::double precision, longitude::double precision)) stored,
        constraint access_node_pkey primary key (node_id),
        constraint access_node_collection_check check (collection in ('nodes', 'prenodes')),
        constraint access_node_token_check check (token in ('planned', 'construction', 'operation')),
        constraint access_node_latitude_check check (latitude >= -90 and latitude <= 90),
        constraint access_node_longitude_check check (longitude >= -180 and longitude <= 180)
      )`);
    await runner.query(`
      create unique index access_node_customer_reference_key
      on access_node (tenant, relation_id, collection, customer_reference) where customer_reference is not null`);
    await runner.query(`create index access_node_listing_idx on access_node (tenant, collection, node_id)`);
    await runner.query(`create index access_node_relation_idx on access_node (tenant, relation_id, collection, node_id)`);
    await runner.query(`create index access_node_modified_at_idx on access_node (tenant, collection, modified_at)`);
    await runner.query(`create index access_node_ecef_idx on access_node using gist (ecef) where collection = 'nodes'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table access_node`);
    await runner.query(`drop function earth_centred(double precision, double precision)`);
  }
}
