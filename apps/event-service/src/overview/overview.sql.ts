import { bound, join, raw, sql, type Statement, statement } from '@fibre/database';
import { inScope } from '../timeline/timeline.sql.js';
import type { Scope } from '../timeline/timeline.js';

/**
 * Rows of `place`, `activations` and `deactivations`: those that took place from each of these instants (place 1, 2 ...) up to the next one
 * or, for the last one, up to now; and, as place 0, the number of entities that are active now, in the same snapshot. Each range of the
 * index is counted separately, because sorting all events into months takes five times as long.
 */
export function selectTrend(scope: Scope, starts: readonly string[]): Statement {
  const isOf = inScope(scope);
  const instants = starts.map((start) => sql`${bound(start)}::timestamptz`);
  const ranges = instants.map((start, index) => {
    const next = instants[index + 1];
    return sql`
    select ${raw(index + 1)} as place, count(*) filter (where e.event_type = 'activation')::int as activations,
      count(*) filter (where e.event_type = 'deactivation')::int as deactivations
    from event e
    where ${isOf('e')} and e.event_type in ('activation', 'deactivation')
      and e.event_at >= ${start}${next && sql` and e.event_at < ${next}`}`;
  });
  const active = sql`
    select 0 as place, count(*)::int as activations, 0 as deactivations
    from timeline t where ${isOf('t')} and t.state = 'active'`;
  return statement('overview-trend')`${join([active, ...ranges], '\n    union all')}`;
}
