import { MIN_EXACT_TOTAL, type Statement, statementOf, timestampText } from '@fibre/database';

/** How many of the newest relations are checked. */
const NEWEST = 200;
const SHOWN = 5;

const upTo = (rows: string): string => `(select count(*)::int from (${rows} limit ${MIN_EXACT_TOTAL} + 1) counted)`;

/** Counts relations: `relations`. */
export const countRelations = (tenant: string): Statement =>
  statementOf('overview-relations', `select ${upTo('select from relation r where r.tenant = $1')} as relations`, [tenant]);

/** Relations with nodes in pre-production: a `WaitingRelationResponse` each. The limits keep the query cheap for tenants of any size. */
export function selectWaiting(tenant: string): Statement {
  const prenodes = `select from access_node n where n.tenant = $1 and n.relation_id = r.relation_id and n.collection = 'prenodes'`;
  return statementOf(
    'overview-waiting',
    `
    select r.relation_id, r.name, ${upTo(prenodes)} as prenodes
    from (
      select r.* from (select r.* from relation r where r.tenant = $1 order by r.relation_id desc limit ${NEWEST}) r
      where exists (${prenodes})
      order by r.relation_id desc limit ${SHOWN}
    ) r
    order by r.relation_id desc`,
    [tenant],
  );
}

/** The latest imports: a `LatestImportResponse` each. */
export const selectImports = (tenant: string): Statement =>
  statementOf(
    'overview-imports',
    `
    select ${timestampText('a.created_at')} as created_at, ${['rows', 'created', 'updated', 'refused']
      .map((name) => `(a.report ->> '${name}')::int as ${name}`)
      .join(', ')}
    from import_answer a
    where a.tenant = $1 and a.report is not null and a.created_at >= now() - interval '1 day'
    order by a.created_at desc limit ${SHOWN}`,
    [tenant],
  );
