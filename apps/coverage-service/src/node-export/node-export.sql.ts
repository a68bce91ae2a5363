import type { Statement } from '@fibre/database';
import { type AccessNodeFilters, filterConditions } from '../access-nodes/access-node.sql.js';
import { EXPORT_COLUMNS } from './json-lines.js';

/** The nodes of the listing with these filters, in its order, by what an import takes of them. */
export function exportNodes(tenant: string, filters: AccessNodeFilters): Statement {
  const values: unknown[] = [tenant];
  const where = ['n.tenant = $1', ...filterConditions(filters, values)].join(' and ');
  const columns = EXPORT_COLUMNS.map((column) => `n.${column}`).join(', ');
  return { name: 'node-export', text: `select ${columns} from access_node n where ${where} order by n.node_id`, values };
}
