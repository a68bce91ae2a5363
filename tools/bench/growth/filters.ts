import { LISTED_TENANT } from '../coverage-service/towns.js';
import { ENTITIES, EVENTS } from '../event-service/activation.js';
import { TENANT } from '../event-service/load-events.js';

/** A list, and of each of its filters what it is asked with: values that most records match, some, or none. */
export interface FilteredList {
  readonly path: string;
  readonly tenant: string;
  readonly scope: string;
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

/** Nobody and nothing has it. */
const NOBODY = '7f2a1c9e-53b0-4d1c-9a3e-6f0d5b8e2c41';
const each = (name: string, values: readonly string[]): string[] => values.map((value) => `${name}=${encodeURIComponent(value)}`);

/** The nodes are made within three hours from 2026 on, a millisecond apart. */
const MODIFIED_NODES = ['2026-01-01T00:00:00Z', '2026-01-01T01:30:00Z', '2027-01-01T00:00:00Z'];
const nodeFilters = (relation: string, reference: string): FilteredList['filters'] => ({
  relation_id: each('relation_id', [relation, NOBODY]),
  token: each('token', ['operation', 'planned']),
  technology: each('technology', ['ftth', 'fttb', 'fwa']),
  status: each('status', ['active', 'suspended', 'terminated']),
  customer_reference: each('customer_reference', [reference, 'nobody']),
  modified_since: each('modified_since', MODIFIED_NODES),
});

/** The events took place in the two years before 2026, and were recorded at once. */
const eventFilters = (entity: string): FilteredList['filters'] => ({
  period: ['period=2024-01-01&period_end=2025-12-31', ...each('period', ['2025-02-03', '2030-01-01'])],
  token: each('token', ['untouched', 'completed', 'fresh']),
  entity_id: each('entity_id', [entity, NOBODY]),
  modified_since: each('modified_since', ['2024-01-01T00:00:00Z', '2025-12-31T00:00:00Z', '2030-01-01T00:00:00Z']),
});

const entityFilters = (partner: string, article: string): FilteredList['filters'] => ({
  state: each('state', ['active', 'inactive', 'announced']),
  partner_id: each('partner_id', [partner, NOBODY]),
  article_code: each('article_code', [article, 'NOTHING']),
});

const nodeList = (target: string, filters: FilteredList['filters']): FilteredList => ({
  path: `/v2/cov/nodes?target=${target}&`,
  tenant: LISTED_TENANT,
  scope: 'coverage:read',
  filters,
});

export const nodeLists = (node: { relation_id: string; customer_reference: string }): FilteredList[] =>
  ['nodes', 'prenodes'].map((target) => nodeList(target, nodeFilters(node.relation_id, node.customer_reference)));

export const eventLists = (entity: { entity_id: string; partner_id: string; article_codes: string[] }): FilteredList[] =>
  (
    [
      [EVENTS, eventFilters(entity.entity_id)],
      [`${EVENTS}/latest`, eventFilters(entity.entity_id)],
      [ENTITIES, entityFilters(entity.partner_id, entity.article_codes[0]!)],
    ] as const
  ).map(([path, filters]) => ({ path: `${path}?`, tenant: TENANT, scope: 'events:read', filters }));

/** Queries with each filter, and each pair of them. */
export function queriesOf({ filters }: FilteredList): string[] {
  const names = Object.keys(filters);
  const pairs = names.flatMap((name, index) => names.slice(index + 1).map((other) => [name, other] as const));
  return [
    ...Object.values(filters).flat(),
    ...pairs.flatMap(([name, other]) => filters[name]!.flatMap((one) => filters[other]!.map((two) => `${one}&${two}`))),
  ];
}
