import { sqlMigration } from '@fibre/database';

/**
 * The internet service providers of a tenant in a namespace.
 *
 * On Citus, this is a local table on the coordinator: it is small, and the coordinator holds the row lock until the worker has committed
 * the event (docs/adr/0014).
 */
export const Isp1764374400000 = sqlMigration('Isp1764374400000', {
  up: [
    `create table isp (
      tenant       text           not null,
      namespace_id uuid           not null,
      partner_id   uuid           not null,
      name         text           not null,
      email        text,
      comment      text,
      version      integer        not null,
      created_at   timestamptz(3) not null,
      modified_at  timestamptz(3) not null,
      constraint isp_pkey primary key (tenant, namespace_id, partner_id),
      constraint isp_name_key unique (tenant, namespace_id, name)
    )`,
  ],
  down: [`drop table isp`],
});
