import { type Sql, sql, type Statement, statement } from '@fibre/database';
import type { Collection } from '../access-nodes/access-node.js';

/** A reference as a number, date or time is usually written, in lower case and without zeros in front. */
const usualForm = (reference: Sql): Sql => sql`
      case
        when ${reference} ~* '^-?[0-9]+([.,][0-9]+)?(e[+-]?[0-9]{1,2})?$'
        then trim_scale(replace(${reference}, ',', '.')::numeric)::text
        else ltrim(lower(regexp_replace(
          regexp_replace(${reference}, '^([0-9]{4})/([0-9]{2})/([0-9]{2})', '\\1-\\2-\\3'),
          '(:[0-9]{2}):00$|T00:00:00(\\.0+)?$',
          '\\1'
        )), '0')
      end`;

/** A row whose reference no node has, and the reference of a node that no row names. Both are the same in their usual form. */
export interface LikelyChanged {
  readonly place: number;
  readonly reference: string;
}

/**
 * Finds references that a program on the way has probably changed: the first {@link LikelyChanged} in the file. It groups the references of
 * both sides, because a join may become a nested loop, which compares every node with every row.
 */
export function findLikelyChanged(tenant: string, collection: Collection, most: number): Statement {
  return statement('node-import-find-likely-changed')`
    with one_sided as (
      select b.relation_id, b.customer_reference, min(b.place) as place
      from (
        select i.relation_id, i.customer_reference, i.place
        from import_row i
        where i.customer_reference is not null
        union all
        select n.relation_id, n.customer_reference, null
        from access_node n
        where n.tenant = ${tenant}
          and n.collection = ${collection}
          and n.relation_id in (select i.relation_id from import_row i)
          and n.customer_reference is not null
      ) b
      group by b.relation_id, b.customer_reference
      having count(*) = 1
    )
    select
      unnest(array_agg(o.place) filter (where o.place is not null)) as place,
      min(o.customer_reference) filter (where o.place is null) as reference
    from one_sided o
    group by o.relation_id, ${usualForm(sql`o.customer_reference`)}
    having count(o.place) between 1 and count(*) - 1
    order by place
    limit ${most}`;
}
