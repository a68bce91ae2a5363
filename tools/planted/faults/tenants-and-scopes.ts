import { COVERAGE, EVENTS, type Fault } from '../fault.js';

export const TENANTS_AND_SCOPES: readonly Fault[] = [
  {
    rule: 'a list has only the nodes of its tenant',
    file: `${COVERAGE}access-nodes/access-node-filters.sql.ts`,
    edits: [['join([sql`n.tenant = ${tenant}`, ', 'join([sql`${tenant}::text is not null`, ']],
    caughtBy: ['coverage-service', 'access/access'],
  },
  {
    rule: 'an export has only the nodes of its tenant',
    file: `${COVERAGE}node-export/node-export.sql.ts`,
    edits: [['[sql`n.tenant = ${tenant}`, ...filterConditions(filters)]', 'filterConditions(filters)']],
    caughtBy: ['coverage-service', 'node-import/export-nodes'],
  },
  {
    rule: 'an idempotency key belongs to one tenant',
    file: `${EVENTS}closings/closings.repository.ts`,
    edits: [['{ tenant, namespace_id, idempotency_key, created_at }', '{ namespace_id, idempotency_key, created_at }']],
    caughtBy: ['event-service', 'billing/closings'],
  },
  {
    rule: 'a merge needs the scope for writing',
    file: `${COVERAGE}relation-nodes/relation-nodes.controller.ts`,
    edits: [["@Put()\n  @HttpCode(200)\n  @Authorize('coverage:write')", "@Put()\n  @HttpCode(200)\n  @Authorize('coverage:read')"]],
    caughtBy: ['coverage-service', 'access/access'],
  },
  {
    rule: 'an erasure needs a scope of its own',
    file: `${EVENTS}entities/entities.controller.ts`,
    edits: [["@Authorize('events:erase')", "@Authorize('events:write')"]],
    caughtBy: ['event-service', 'entities/erase'],
  },
  {
    rule: 'an erasure leaves the refused events that other tenants have of an entity with the same id',
    file: `${EVENTS}refused-events/refused-events.sql.ts`,
    edits: [
      [
        'where r.tenant = ${tenant} and r.namespace_id = ${namespaceId}::uuid and r.entity_id = ${entityId}::uuid`;',
        'where r.namespace_id = ${namespaceId}::uuid and r.entity_id = ${entityId}::uuid`;',
      ],
    ],
    caughtBy: ['event-service', 'events/refused-events'],
  },
  {
    rule: 'a token that was accepted is not accepted for longer than one that is new',
    file: 'libs/auth/src/authentication.ts',
    edits: [['until: Math.min(Date.now() + MAX_AGE_MS, caller.expiresAt * 1_000)', 'until: Date.now() + MAX_AGE_MS']],
    caughtBy: ['coverage-service', 'access/tokens'],
  },
  {
    rule: "nobody sees the name of another tenant's relation that has the same id",
    file: `${COVERAGE}overview/overview.sql.ts`,
    edits: [
      [
        'left join relation r on r.tenant = ${owner} and r.relation_id = w.relation_id',
        'left join relation r on r.relation_id = w.relation_id',
      ],
    ],
    caughtBy: ['coverage-service', 'map-tiles/overview'],
  },
  {
    rule: "the only node of a map's cell is the tenant's, whoever else has one at its place",
    file: `${COVERAGE}map-tiles/map-tile.sql.ts`,
    edits: [['where ${owned} and ${join([sql`${KEY} = access_node_map_key', 'where ${join([sql`${KEY} = access_node_map_key']],
    caughtBy: ['coverage-service', 'map-tiles/map-tiles.e2e'],
  },
];
