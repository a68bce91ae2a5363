import { sql, type Statement, statement } from '@fibre/database';
import type { EntityScope } from '../entities/entity-list.sql.js';

/**
 * All `activations` and `deactivations` by `place`: 0 if they took place before the first of these instants, 1 if they took place at the
 * first one or between it and the second one, and so on.
 */
export const selectTrend = ({ tenant, namespaceId }: EntityScope, starts: readonly string[]): Statement =>
  statement(
    'overview-trend',
    sql`
    select width_bucket(e.event_at, ${starts}::timestamptz[]) as place,
      count(*) filter (where e.event_type = 'activation')::int as activations,
      count(*) filter (where e.event_type = 'deactivation')::int as deactivations
    from event e
    where e.tenant = ${tenant} and e.namespace_id = ${namespaceId} and e.event_type in ('activation', 'deactivation')
    group by 1`,
  );
