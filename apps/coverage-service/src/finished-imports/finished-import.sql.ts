import { bound, raw, sql, type Statement, statement } from '@fibre/database';

/** The outcome of an import that had a key. */
export interface StoredResponse<Report> {
  readonly digest: string;
  readonly report: Report;
}

const STILL_GOOD = sql`f.created_at > now() - interval '24 hours'`;

export const findResponse = (tenant: string, key: string): Statement =>
  statement('node-import-find-response')`
    select f.digest, f.report
    from finished_import f
    where f.tenant = ${tenant}
      and f.idempotency_key = ${key}
      and ${STILL_GOOD}`;

/** Claims a key for this transaction: returns a row, or nothing if another import has the key. Waits for a running import with this key. */
export const claimKey = (tenant: string, actor: string | null, key: string, digest: string): Statement =>
  statement('node-import-claim-key')`
    insert into finished_import as f (tenant, idempotency_key, digest, created_at, created_by)
    values (${tenant}, ${key}, ${digest}, statement_timestamp(), ${actor})
    on conflict (tenant, idempotency_key) do update
    set
      digest = excluded.digest,
      created_at = excluded.created_at,
      created_by = excluded.created_by,
      report = null
    where not (${STILL_GOOD})
    returning f.idempotency_key`;

/** Stores the outcome of the import that has the key. @param relationId the relation of all rows, if the request names it */
export const storeResponse = (tenant: string, key: string, report: object, relationId?: string): Statement =>
  statement('node-import-store-response')`
    update finished_import f
    set report = ${JSON.stringify(report)}::json, relation_id = ${bound(relationId)}::uuid
    where f.tenant = ${tenant}
      and f.idempotency_key = ${key}`;

/** Stores the counts of an import without a key. */
export const storeCounts = (tenant: string, actor: string | null, counts: object, relationId?: string): Statement =>
  statement('node-import-store-counts')`
    insert into finished_import (tenant, report, relation_id, created_at, created_by)
    values (${tenant}, ${JSON.stringify(counts)}::json, ${bound(relationId)}::uuid, now(), ${actor})`;

/** How many finished imports one statement forgets. */
export const FORGOTTEN_AT_ONCE = 1_000;

/** Forgets finished imports after a day; other processes may do the same at the same time. */
export const forgetImports = statement('node-import-forget')`
  delete from finished_import f
  using (
    select o.import_id
    from finished_import o
    where o.created_at < now() - interval '25 hours'
    limit ${raw(FORGOTTEN_AT_ONCE)}
    for update skip locked
  ) o
  where f.import_id = o.import_id
  returning f.import_id`;
