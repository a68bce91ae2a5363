import { ANNOUNCE } from '@fibre/settled-time';
import { type Database, raw, repeatableMigration, sql, type Statement, statement } from '@fibre/database';

/**
 * Begins bulk work, which must be the first statement of its transaction. The transaction announces itself, so that it does not hold back
 * the feeds, and each node that it writes or deletes gets the publication's id, by the columns' default (see the schema).
 */
export const beginPublication = (tenant: string): Statement =>
  statement('node-changes-begin-publication')`select begin_publication(${tenant})`;

export const BeginPublication = repeatableMigration('BeginPublication', [
  `create or replace function begin_publication(owner text) returns void language plpgsql as $$
    declare
      publication_id bigint;
    begin
      if pg_current_xact_id_if_assigned() is not null then
        raise exception 'a transaction that has written cannot announce itself';
      end if;
      perform ${ANNOUNCE};
      insert into publication as p (tenant) values (owner) returning p.publication_id into publication_id;
      perform set_config('fibre.publication', publication_id::text, true);
    end $$`,
]);

/** Publishes all bulk work that has been committed. Others may do the same at the same time. */
export const publishAll = sql`
  update publication p set published_at = write_time()
  where p.publication_id in (select u.publication_id from publication u where u.published_at is null for update skip locked)`;

/** The same for a tenant's bulk work; waits for others that are publishing it. */
const publishOf = (tenant: string): Statement => statement('node-changes-publish')`
  update publication p set published_at = write_time() where p.tenant = ${tenant} and p.published_at is null`;

/**
 * Ends bulk work that has been committed: what it did is in the feeds up to any settled time after the response. If this fails, the next
 * reader of a feed publishes it.
 */
export const endPublication = (database: Pick<Database, 'run'>, tenant: string): Promise<void> =>
  database.run(publishOf(tenant)).then(
    () => undefined,
    () => undefined,
  );

/** Maximum number of publications that one statement removes. */
export const PUBLICATIONS_AT_ONCE = 1_000;

/** Removes publications whose nodes have all been changed again or deleted, and whose deletions have been removed. */
export const forgetPublications = statement('node-changes-forget-publications')`
  delete from publication p where p.publication_id in (
    select o.publication_id from publication o
    where o.published_at is not null
      and not exists (select from access_node n where n.collection = 'nodes' and n.publication = o.publication_id)
      and not exists (select from node_deletion d where d.publication = o.publication_id)
    limit ${raw(PUBLICATIONS_AT_ONCE)} for update skip locked
  )
  returning p.publication_id`;
