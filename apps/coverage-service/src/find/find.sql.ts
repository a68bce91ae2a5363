import { bound, raw, sql, statement } from '@fibre/database';
import { type FindPlace, MOST_FOUND } from '@fibre/server';
import { bestByWords } from '../coverage-search/address-words.sql.js';

/** Kinds of records that a tenant finds. */
export const KINDS = ['relation', 'node', 'prenode'] as const;

/** The fields by which a tenant finds its records. */
export function findPlaces(tenant: string): FindPlace[] {
  const nodes = { id: sql`n.node_id`, kind: sql`case n.collection when 'nodes' then 'node' else 'prenode' end` };
  const owner = bound(tenant);
  const ofTenant = sql`access_node n where n.tenant = ${owner}`;
  const relations = { id: sql`r.relation_id`, kind: sql`'relation'`, label: sql`r.name`, from: sql`relation r where r.tenant = ${tenant}` };
  const byText = (field: string): FindPlace => {
    const text = raw(`n.${field}`);
    return { ...nodes, name: `find-${field}`, matched: field, label: text, text, from: ofTenant };
  };
  // The collections are separate, because the index of a tenant's ids is by collection.
  const byId = (collection: string): FindPlace => ({
    ...nodes,
    name: `find-${collection}`,
    matched: 'node_id',
    label: sql`coalesce(n.address, n.latitude || ', ' || n.longitude)`,
    from: sql`${ofTenant} and n.collection = '${raw(collection)}'`,
  });
  const byWords: FindPlace = {
    ...nodes,
    name: 'find-address',
    matched: 'address',
    label: sql`n.address`,
    from: ofTenant,
    select: (q) => {
      const text = bound(q);
      return statement('find-address')`
      with ${bestByWords(text, sql`n.tenant = ${owner}`, MOST_FOUND, owner)}
      select ${nodes.kind} as kind, ${nodes.id} as id, n.address as label, 'address' as matched,
        fold_address(n.address) = fold_address(${text}) as is_exact
      from best b join access_node n on n.node_id = b.node_id
      order by b.is_begun, b.length, b.node_id`;
    },
  };
  return [
    { ...relations, name: 'find-name', matched: 'name', text: sql`r.name`, hasWords: true },
    byText('customer_reference'),
    byText('address_id'),
    byWords,
    { ...relations, name: 'find-relation', matched: 'relation_id' },
    byId('nodes'),
    byId('prenodes'),
  ];
}
