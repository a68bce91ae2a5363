import { raw, type Statement, statement } from '@fibre/database';
import { type Collection, SETTABLE_COLUMNS } from '../access-nodes/access-node.js';
import { differ, modifiedNow } from '../access-nodes/access-node.sql.js';

/** Locks the pre-production nodes of a relation until the transaction ends, always in the same order. */
export const lockPrenodes = (tenant: string, relationId: string): Statement =>
  statement('access-nodes-lock-prenodes')`
    select from access_node n
    where n.tenant = ${tenant} and n.relation_id = ${relationId} and n.collection = 'prenodes'
    order by n.node_id
    for update`;

/** What a merge did with the pre-production nodes of a relation. */
export interface MergeCounts {
  /** Nodes that moved to production. */
  readonly inserted: number;
  /** Nodes whose settable fields replaced those of a production node, or were equal to them. */
  readonly updated: number;
}

/** Result of one round of a merge. */
export interface MergeRound extends MergeCounts {
  /** Number of pre-production nodes. */
  readonly found: number;
}

/**
 * Promotes the pre-production nodes of a relation: one {@link MergeRound}.
 *
 * The counterpart of a node is the production node with the same customer reference. The settable fields of the node replace those of its
 * counterpart, and the node is deleted, but only if the counterpart still exists when it is updated: if `found` is greater than
 * `inserted + updated`, another round is needed. An equal counterpart is not written, so that copies of the network need not read it again;
 * whoever changes it during the merge might as well have done so afterwards. The statement locks the nodes too, because someone may change
 * a node that was created after `lockPrenodes`, and the change would be lost.
 *
 * The search for a counterpart requests an order that only the index on customer references provides. With only an equality condition,
 * PostgreSQL may choose the index on relations instead, if its statistics suggest a small relation, and then read every node of the
 * relation for each node.
 */
export const promotePrenodes = (tenant: string, actor: string | null, relationId: string): Statement =>
  statement('access-nodes-promote')`
    with found as materialized (
      select p.*, n.node_id as counterpart_id, ${differ('n', 'p')} as differs
      from access_node p
      left join lateral (
        select n.*
        from access_node n
        where n.tenant = p.tenant and n.relation_id = p.relation_id and n.collection = 'nodes'
          and n.customer_reference >= p.customer_reference
        order by n.customer_reference limit 1
      ) n on n.customer_reference = p.customer_reference
      where p.tenant = ${tenant} and p.relation_id = ${relationId} and p.collection = 'prenodes'
      for update of p
    ), updated as (
      update access_node n
      set ${raw(SETTABLE_COLUMNS.map((column) => `${column} = f.${column}`).join(', '))},
        version = n.version + 1, ${modifiedNow(actor)}
      from found f
      where f.differs and n.node_id = f.counterpart_id and n.collection = 'nodes' and n.customer_reference = f.customer_reference
      returning f.node_id
    ), merged as (
      select u.node_id from updated u union all select f.node_id from found f where not f.differs
    ), replaced as (
      delete from access_node p using merged m where p.node_id = m.node_id
    ), inserted as (
      update access_node p
      set collection = 'nodes', version = p.version + 1, ${modifiedNow(actor)}
      from found f
      where p.node_id = f.node_id and f.counterpart_id is null and p.collection = 'prenodes'
      returning p.node_id
    )
    select
      (select count(*)::int from found) as found,
      (select count(*)::int from inserted) as inserted,
      (select count(*)::int from merged) as updated`;

/** Deletes a relation's nodes in one collection and returns their `count`. */
export const deleteRelation = (tenant: string, relationId: string, collection: Collection): Statement =>
  statement('access-nodes-delete-relation')`
    with deleted as (
      delete from access_node n where n.tenant = ${tenant} and n.relation_id = ${relationId} and n.collection = ${collection} returning 1
    )
    select count(*)::int as count from deleted`;
