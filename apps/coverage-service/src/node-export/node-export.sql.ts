import { join, jsonObjectText, raw, sql, type Statement, statement } from '@fibre/database';
import { OPTIONAL_FIELDS } from '../access-nodes/access-node.js';
import { type AccessNodeFilters, filterConditions, MEMBERS, selectField } from '../access-nodes/access-node.sql.js';

/** The names of all fields that an import accepts. */
const EXPORTED: readonly string[] = ['relation_id', 'token', 'center', 'status', ...OPTIONAL_FIELDS];
const members = MEMBERS.filter(({ name }) => EXPORTED.includes(name));
const properties = jsonObjectText(members.filter(({ name }) => name !== 'center'));
const columns = ['n.relation_id', 'n.token', 'n.latitude', 'n.longitude', 'n.status', ...OPTIONAL_FIELDS.map(selectField)];

/** The select list of each kind of record, for a node `n`. */
const RECORDS = {
  columns: columns.join(', '),
  json: jsonObjectText(members),
  feature: `format(',{"type":"Feature","geometry":{"type":"Point","coordinates":[%s,%s]},"properties":%s}', n.longitude, n.latitude, ${properties})`,
} as const;

/** The nodes that the listing returns with these filters, in the same order, with the fields that an import accepts. */
export function exportNodes(record: keyof typeof RECORDS, tenant: string, filters: AccessNodeFilters): Statement {
  const where = join([sql`n.tenant = ${tenant}`, ...filterConditions(filters)], ' and ');
  return statement('node-export', sql`select ${raw(RECORDS[record])} from access_node n where ${where} order by n.node_id`);
}
