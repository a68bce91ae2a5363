import { sqlMigration } from '@fibre/database';

/** Relations that tenants have created. There is no foreign key, because nodes may name other relations unless `RELATIONS=registered`. */
export const Relation1764288000000 = sqlMigration('Relation1764288000000', {
  up: [
    `create table relation (
      relation_id uuid           not null,
      tenant      text           not null,
      name        text           not null,
      pip         text           not null,
      comment     text,
      version     integer        not null default 1,
      created_at  timestamptz(3) not null default date_trunc('milliseconds', now()),
      modified_at timestamptz(3) not null default date_trunc('milliseconds', now()),
      constraint relation_pkey primary key (tenant, relation_id)
    )`,
    // PostgreSQL does not treat a partial index as a key, so changing the name does not wait for transactions that lock the row to create nodes.
    `create unique index relation_name_key on relation (tenant, name) where name is not null`,
    `create index relation_pip_idx on relation (tenant, pip, relation_id)`,
  ],
  down: [`drop table relation`],
});
