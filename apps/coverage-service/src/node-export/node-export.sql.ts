import { join, jsonObjectText, raw, sql, type Statement, statement } from '@fibre/database';
import { FIELD_TYPES, OPTIONAL_FIELDS } from '../access-nodes/access-node.js';
import { type AccessNodeFilters, filterConditions, MEMBERS } from '../access-nodes/access-node.sql.js';

/** The names of all fields that an import accepts. */
const EXPORTED: readonly string[] = ['relation_id', 'token', 'center', 'status', ...OPTIONAL_FIELDS];
const members = MEMBERS.filter(({ name }) => EXPORTED.includes(name));
const properties = jsonObjectText(members.filter(({ name }) => name !== 'center'));
const columns = EXPORTED.flatMap((name) => (name === 'center' ? ['n.latitude', 'n.longitude'] : [columnOf(name)]));

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

/** COPY writes a boolean as `t`; as text it is `true`. */
function columnOf(name: string): string {
  const isBoolean = FIELD_TYPES[name as keyof typeof FIELD_TYPES] === 'boolean';
  return isBoolean ? `n.${name}::text as ${name}` : `n.${name}`;
}
