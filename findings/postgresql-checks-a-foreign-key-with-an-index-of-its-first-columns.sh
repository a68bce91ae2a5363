#!/usr/bin/env bash
# A table of many tenants has a primary key that begins with the tenant, as Citus needs it, and one more index that begins with the tenant.
# A second table refers to it, and both are filled before the first table has statistics.
#
# One would guess: PostgreSQL checks each new reference with the primary key, which has all four columns.
# What happens:    it takes the index that was created later, because both seem to cost the same in an empty table. Only two of its columns
#                  help, so each check reads all rows of the tenant: four times as many rows take more than eight times as long.
# Versions: PostgreSQL 18 (PGlite 0.5.17, and the server), 2026-11-29.
# Who meets it: whoever loads events or nodes of one tenant into a new database with keys that begin with the tenant. It ends with the
# first `analyze`. Put a selective column first in the other index.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . @electric-sql/pglite@0.5.17
cat > check.mjs <<'CODE'
import { PGlite } from '@electric-sql/pglite';

const database = new PGlite();
await database.exec(`
  create table entity (tenant text, area uuid, entity_id uuid, shard smallint, primary key (tenant, area, entity_id, shard));
  create index entity_end_idx on entity (tenant, area, right(entity_id::text, 8));
  create table event (tenant text, area uuid, entity_id uuid, shard smallint, foreign key (tenant, area, entity_id, shard) references entity)`);
const NIL = '00000000-0000-0000-0000-000000000000';

/** Milliseconds to store this many entities of one tenant, each with an event. */
async function fill(count) {
  const began = performance.now();
  await database.exec(`begin;
    insert into entity select 'a', '${NIL}', ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 1 from generate_series(1, ${count}) n;
    insert into event select * from entity;
    rollback`);
  return performance.now() - began;
}
const plan = await database.query(
  `explain (costs off) select 1 from only entity where tenant = 'a' and area = '${NIL}' and entity_id = '${NIL}' and shard = 1::smallint for key share`,
);
for (const row of plan.rows) console.log(row['QUERY PLAN']);
const [few, many] = [await fill(1_000), await fill(4_000)];
console.error(`1,000 rows: ${few.toFixed(0)} ms, 4,000 rows: ${many.toFixed(0)} ms`);
CODE
node check.mjs | tee printed
grep -q 'using entity_end_idx' printed
