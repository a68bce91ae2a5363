import { bound, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import { type Collection, SETTABLE_COLUMNS } from '../access-nodes/access-node.js';
import { differ, modifiedNow, settable } from '../access-nodes/access-node.sql.js';

/** Maximum number of deleted nodes that a response lists. */
const MAX_DELETED_LISTED = 1_000;
/** What happened to the rows. */
export interface AppliedRows {
  /** Rows whose reference exists in the collection. */
  readonly matched: number;
  /** Matched rows that differ from the stored node. */
  readonly different: number;
  readonly updated: number;
  readonly created: number;
  /** Nodes that no row names. */
  readonly absent: number;
  readonly deleted: number;
  /** The first deleted nodes. */
  readonly deletedNodes: { readonly node_id: string; readonly customer_reference?: string }[];
}

/** The nodes `n` with the customer reference of a row `i`. */
const matching = (tenant: Sql, target: Sql): Sql => sql`
      from import_row i
      join access_node n
        on n.tenant = ${tenant}
        and n.collection = ${target}
        and n.relation_id = i.relation_id
        and n.customer_reference = i.customer_reference
      where i.customer_reference is not null`;

/** The nodes `n` of a relation. */
const ofRelation = (tenant: Sql, target: Sql, relation: string): Sql => sql`
      from access_node n
      where n.tenant = ${tenant}
        and n.collection = ${target}
        and n.relation_id = ${relation}`;

/** Locks the nodes that {@link applyRows} may change. */
export function lockNodes(tenant: string, collection: Collection, whole?: string): Statement {
  const [owner, target] = [bound(tenant), bound(collection)];
  const nodes = whole === undefined ? matching(owner, target) : ofRelation(owner, target, whole);
  return statement('node-import-lock-nodes')`
    select count(*)
    from (
      select ${nodes}
      order by n.node_id
      for update of n
    ) l`;
}

/** The rows `matched` that match a node: their place, the node's id, and whether they differ. */
const matchedRows = (tenant: Sql, target: Sql): Sql => sql`
    with matched as materialized (
      select i.place, n.node_id, ${differ('n', 'i')} as differs
      ${matching(tenant, target)}
    )`;

/**
 * The same, and `paired`, which also has the nodes that no row names. One snapshot decides about both, so a node whose reference changes in
 * the meantime is not deleted and missing at once. A full join is always a hash or merge join; `not exists` may become a nested loop, which
 * compares every node with every row, if the statistics only know small relations.
 */
const pairedRows = (tenant: Sql, target: Sql, relation: string): Sql => sql`
    with paired as materialized (
      select i.place, n.node_id, n.customer_reference, ${differ('n', 'i')} as differs
      from import_row i
      full join (
        select n.* ${ofRelation(tenant, target, relation)}
      ) n on n.customer_reference = i.customer_reference
    ), matched as materialized (
      select p.place, p.node_id, p.differs
      from paired p
      where p.place is not null
        and p.node_id is not null
    )`;

/** The nodes `deleted`: those of `paired` that no row names. */
const DELETE_UNNAMED = sql`, deleted as (
      delete from access_node n
      using paired p
      where p.place is null
        and n.node_id = p.node_id
        and n.customer_reference is not distinct from p.customer_reference
      returning n.node_id, n.customer_reference
    )`;
const FIND_UNNAMED = sql`, deleted as (
      select p.node_id, p.customer_reference
      from paired p
      where p.place is null
    )`;

const DELETED = sql`(select count(*)::int from paired p where p.place is null) as absent,
      (select count(*)::int from deleted) as deleted,
      coalesce((
        select json_agg(json_strip_nulls(row_to_json(f)))
        from (
          select d.node_id, d.customer_reference
          from deleted d
          order by d.customer_reference, d.node_id
          limit ${raw(MAX_DELETED_LISTED)}
        ) f
      ), '[]') as "deletedNodes"`;
const NONE_DELETED = sql`0 as absent, 0 as deleted, json_build_array() as "deletedNodes"`;

/**
 * Creates and updates nodes from the rows: an {@link AppliedRows}.
 *
 * A node that was deleted or got another reference before it was locked is not `updated` or `deleted`. Another attempt is needed if
 * `updated` is less than `different` or `deleted` less than `absent`, or after a unique violation, which means that another node got the
 * reference in the meantime.
 *
 * @param whole the relation of all rows, if its nodes that no row names are deleted
 */
export function applyRows(tenant: string, actor: string | null, collection: Collection, whole?: string): Statement {
  const [owner, author, target] = [tenant, actor, collection].map(bound) as [Sql, Sql, Sql];
  const found = whole === undefined ? matchedRows(owner, target) : sql`${pairedRows(owner, target, whole)}${DELETE_UNNAMED}`;
  return statement('node-import-apply-rows')`${found}, updated as (
      update access_node n
      set
        ${raw(SETTABLE_COLUMNS.map((column) => `${column} = i.${column}`).join(',\n        '))},
        version = n.version + 1,
        ${modifiedNow(actor)}
      from matched m
      join import_row i on i.place = m.place
      where m.differs
        and n.node_id = m.node_id
        and n.collection = ${target}
        and n.customer_reference = i.customer_reference
      returning n.node_id
    ), created as (
      insert into access_node (
        node_id, tenant, relation_id, collection, ${raw(SETTABLE_COLUMNS.join(', '))},
        created_at, modified_at, created_by, modified_by
      )
      select
        i.node_id, ${owner}, i.relation_id, ${target}, ${settable('i')},
        written.at, written.at, ${author}, ${author}
      from import_row i
      cross join (select write_time() as at) written
      where not exists (select from matched m where m.place = i.place)
      returning 1
    )
    select
      (select count(*)::int from matched) as matched,
      (select count(*)::int from matched m where m.differs) as different,
      (select count(*)::int from updated) as updated,
      (select count(*)::int from created) as created,
      ${whole === undefined ? NONE_DELETED : DELETED}`;
}

/** What {@link applyRows} would do now: an {@link AppliedRows}. It writes nothing and waits for nobody. */
export function countRows(tenant: string, collection: Collection, whole?: string): Statement {
  const [owner, target] = [bound(tenant), bound(collection)];
  const found = whole === undefined ? matchedRows(owner, target) : sql`${pairedRows(owner, target, whole)}${FIND_UNNAMED}`;
  return statement('node-import-count-rows')`${found}, counted as (
      select
        count(*)::int as matched,
        (count(*) filter (where m.differs))::int as different
      from matched m
    )
    select
      c.matched,
      c.different,
      c.different as updated,
      (select count(*)::int from import_row) - c.matched as created,
      ${whole === undefined ? NONE_DELETED : DELETED}
    from counted c`;
}

export const beginAttempt = statement('node-import-begin-attempt')`savepoint attempt`;
export const undoAttempt = statement('node-import-undo-attempt')`rollback to savepoint attempt`;
