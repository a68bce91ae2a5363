import {
  given,
  join,
  type JsonMember,
  jsonObjectText,
  raw,
  sql,
  type Sql,
  type Statement,
  statement,
  timestampText,
} from '@fibre/database';
import { AUTHORS } from '@fibre/dto';
import { FIELD_TYPES, OPTIONAL_FIELDS, type OptionalField } from '../access-nodes/access-node.js';
import { MEMBERS, OFFER, OFFERED_MEMBERS, selectField } from '../access-nodes/access-node.sql.js';
import { type AccessNodeFilters, filterConditions } from '../access-nodes/access-node-filters.sql.js';
import type { Format } from '../files/file-formats.js';
import type { SearchExportQuery } from './node-export.requests.js';

/** What a file shows of a node `n`: the select list of each kind of record. */
type Records = Readonly<Record<Format['record'], string>>;

/** The names of all fields that an import reads, and of those that it leaves out. */
const IMPORTED: readonly string[] = ['relation_id', 'token', 'center', 'status', ...OPTIONAL_FIELDS, ...AUTHORS];
const OWN = recordsOf(MEMBERS.filter(({ name }) => IMPORTED.includes(name)));
const PUBLIC = recordsOf(OFFERED_MEMBERS);

function recordsOf(members: readonly JsonMember[]): Records {
  const properties = jsonObjectText(members.filter(({ name }) => name !== 'center'));
  return {
    columns: members.map(({ name }) => columnOf(name)).join(', '),
    'columns of tabs': members.map(({ name }) => (isSpeed(name) ? plainSpeed(name) : columnOf(name))).join(', '),
    json: jsonObjectText(members),
    feature: `format(',{"type":"Feature","geometry":{"type":"Point","coordinates":[%s,%s]},"properties":%s}', n.longitude, n.latitude, ${properties})`,
  };
}

function columnOf(name: string): string {
  if (name === 'center') return 'n.latitude, n.longitude';
  if (name === 'offer') return `${OFFER} as offer`;
  if (name.endsWith('_at')) return `${timestampText(`n.${name}`)} as ${name}`;
  return name in FIELD_TYPES ? selectField(name as OptionalField) : `n.${name}`;
}

function isSpeed(name: string): boolean {
  return FIELD_TYPES[name as OptionalField] === 'double precision';
}

/** Beside tabs, a comma may be the decimal sign, so `1.125` might be a thousand: another zero makes it a decimal fraction for every reader. */
function plainSpeed(name: string): string {
  return `n.${name} || case when n.${name}::text ~ '^[1-9][0-9]{0,2}[.][0-9]{3}$' then '0' else '' end as ${name}`;
}

const nodes = (records: string, conditions: readonly (Sql | undefined)[]): Sql =>
  sql`select ${raw(records)} from access_node n where ${join(conditions, ' and ')} order by n.node_id`;

/** The nodes that the listing returns with these filters, in the same order, with the fields that an import accepts, and their authors. */
export const exportNodes = (record: Format['record'], tenant: string, filters: AccessNodeFilters): Statement =>
  statement('node-export')`${nodes(OWN[record], [sql`n.tenant = ${tenant}`, ...filterConditions(filters)])}`;

/** Filters of the export for ISPs. */
type PublishedFilters = Omit<SearchExportQuery, 'format'>;

/** The production nodes of all tenants, or of one, as the search shows them. */
export function exportPublished(record: Format['record'], { tenant, offer, ...filters }: PublishedFilters): Statement {
  const ofTenant = given(tenant, (owner) => sql`n.tenant = ${owner}`);
  const offered = given(offer, (promised) => sql`${raw(OFFER)} = ${promised}`);
  return statement('search-export')`${nodes(PUBLIC[record], [ofTenant, offered, ...filterConditions({ ...filters, target: 'nodes' })])}`;
}
