import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newNode, NODES } from '../access-nodes/access-nodes.js';
import { expectNoValuesInLog } from '@fibre/testing';

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')) as never;
const SCOPES = 'coverage:read coverage:write coverage:search';

test('the log has no value of any field, whether a request succeeds, is refused, or fails in the database', () =>
  expectNoValuesInLog('coverage-service', document, SCOPES, ['access_node', 'relation', 'webhook', 'finished_import'], (mark) => [
    { method: 'POST', path: NODES, body: newNode({ customer_reference: mark, technology: mark, address_id: mark }) },
    { method: 'POST', path: '/v2/cov/relations/', body: { name: mark, pip: mark, comment: mark } },
    { method: 'POST', path: '/v2/cov/webhooks/', body: { url: `https://${mark}.example/${mark}`, feed: 'nodes', description: mark } },
  ]));
