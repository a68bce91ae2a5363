import { given, join, jsonObjectText, type Listing, raw, sql, timestampText } from '@fibre/database';
import { TOKENS } from '../access-nodes/access-node.js';
import { CONTACT_FIELDS } from '../relations/relation.entity.js';
import { MAX_COUNTED } from '../relations/relation.sql.js';

export interface PublishedRelationFilters {
  readonly tenant?: string;
  readonly relation_id?: string;
}

const NODES = sql`from access_node n where n.tenant = r.tenant and n.relation_id = r.relation_id and n.collection = 'nodes'`;
const COUNTS = raw(TOKENS.map((token) => `count(*) filter (where c.token = '${token}') as ${token}`).join(', '));

/** The relations of all tenants that have nodes in production, with the fields for ISPs and up to one more than {@link MAX_COUNTED} nodes. */
export function publishedRelations({ tenant, relation_id }: PublishedRelationFilters): Listing {
  const conditions = [
    sql`exists (select ${NODES})`,
    given(tenant, (owner) => sql`r.tenant = ${owner}`),
    given(relation_id, (id) => sql`r.relation_id = ${id}`),
  ];
  return {
    label: 'published-relations',
    // Only the relations of the page are counted.
    records: ({ from: [id], limit }) => sql`
    select r.*, c.*
    from (
      select r.* from relation r
      where ${join([...conditions, id && sql`r.relation_id >= ${id}`], ' and ')}
      order by r.relation_id limit ${limit}
    ) r
    cross join lateral (select ${COUNTS} from (select n.token ${NODES} limit ${raw(MAX_COUNTED)} + 1) c) c`,
    rows: sql`select 1 from relation r where ${join(conditions, ' and ')}`,
    order: [{ column: 'relation_id', type: 'uuid' }],
    alias: 'r',
    json: jsonObjectText([
      { name: 'relation_id', sql: 'r.relation_id', as: 'plain' },
      { name: 'tenant', sql: 'r.tenant', as: 'text' },
      { name: 'pip', sql: 'r.pip', as: 'text' },
      ...CONTACT_FIELDS.map((name) => ({ name, sql: `r.${name}`, as: 'text', optional: true }) as const),
      { name: 'nodes', sql: jsonObjectText(TOKENS.map((token) => ({ name: token, sql: `r.${token}`, as: 'json' }))), as: 'json' },
      { name: 'modified_at', sql: timestampText('r.modified_at'), as: 'plain' },
    ]),
  };
}
