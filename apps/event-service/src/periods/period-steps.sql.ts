import { bound, given, join, type JsonMember, jsonObjectText, raw, type Sql, sql } from '@fibre/database';
import { leastIdAt } from '../timeline/event-id.js';
import type { Window } from '../timeline/period-window.js';
import { IN_FORCE, joinInForce, KEPT, type Kept, selectSteps } from '../timeline/steps.sql.js';
import { inScope, sameTimeline } from '../timeline/timeline.sql.js';
import type { TimelineKey } from '../timeline/timeline.js';

/** Selects the steps of a window, as recorded up to an instant. Absent filters are ignored. */
export interface PeriodSearch extends Pick<TimelineKey, 'tenant' | 'namespaceId'>, Window {
  readonly recordedUntil: Date;
  /** If set, searches for corrections: entities whose steps differ from those recorded up to this instant. */
  readonly recordedFrom?: Date;
  readonly partner_id?: string;
  readonly entity_id?: string;
  readonly article_code?: string;
  /** Whether records name the tenant, because the caller sees those of several. */
  readonly showsTenant?: boolean;
}

/** The parts of a statement that bind the values of a search. */
export const bind = ({ tenant, namespaceId, from, to, recordedUntil, recordedFrom, showsTenant, ...filters }: PeriodSearch) => ({
  showsTenant,
  isOf: inScope({ tenant, namespaceId, entityId: filters.entity_id }),
  from: bound(from.utc),
  to: bound(to.utc),
  recordedUntil: bound(recordedUntil),
  recordedFrom: given(recordedFrom, bound),
  leastNewId: given(recordedFrom, (since) => bound(leastIdAt(since.getTime()))),
  partner: given(filters.partner_id, bound),
  article: given(filters.article_code, bound),
});
export type Bound = ReturnType<typeof bind>;

/** The `from` and `where` clauses for the timelines `t` that may have records. */
export const candidates = (search: Bound): { timelines: Sql; where: Sql } =>
  search.recordedFrom
    ? { timelines: changedTimelines(search), where: search.isOf('t') }
    : { timelines: sql`timeline t`, where: sql`${search.isOf('t')} and ${mayHaveSteps(search)}` };

/** Condition that a timeline's row does not rule out steps. */
const mayHaveSteps = (search: Bound): Sql => sql`(${hasChanged(search)} or (${runs(search)}))`;

/**
 * Condition that something was recorded later, or happened since the window began. Otherwise, the timeline's row contains the subscription
 * of the whole window, if there is one.
 */
export const hasChanged = ({ recordedUntil, from }: Bound): Sql => sql`(t.modified_at > ${recordedUntil} or t.lifecycle_at >= ${from})`;

/** Condition that the subscription in a timeline's row runs, and passes the filters. */
export const runs = ({ partner, article }: Bound): Sql =>
  join(
    [sql`t.state = 'active'`, partner && sql`t.partner_id::text = ${partner}`, article && sql`${article} = any(t.article_codes)`],
    ' and ',
  );

/**
 * Timelines with events recorded since `recorded_from`, in the order of the listing, so that reading a page can stop early. Ids contain the
 * creation time, so their index finds these events.
 */
const changedTimelines = (search: Bound): Sql => sql`(
      select e.shard_key, e.tenant, e.namespace_id, e.entity_id, min(e.event_at) as first_change
      from event e
      where ${search.isOf('e')}
        and e.event_id >= ${search.leastNewId}
        and e.created_at > ${search.recordedFrom}
        and e.created_at <= ${search.recordedUntil}
        and e.event_type <> 'notification'
        and e.event_at < ${search.to}
      group by e.shard_key, e.tenant, e.namespace_id, e.entity_id
      order by e.entity_id
    ) t`;

/** Which steps of a timeline are read, as SQL expressions. */
export interface StepRange {
  /** The instant from which steps are read: those that end earlier are not needed. */
  readonly since: Sql;
  /** The instant up to which recorded events count. */
  readonly recorded: Sql;
  /** Maximum number of events that are read; absent if every step is needed. */
  readonly events?: Sql;
}
export const wholeWindow = ({ from, recordedUntil }: Bound): StepRange => ({ since: from, recorded: recordedUntil });
/** Also has the step that an event at the very start of the window ended, which lasts no time in it. */
export const windowAndStepBefore = ({ from, recordedUntil }: Bound): StepRange => ({
  since: sql`${from}::timestamptz - interval '1 microsecond'`,
  recorded: recordedUntil,
});

/** Joins a timeline `t` to its steps `p`, clipped to the window. @param members the members of a step that are needed, if not all */
export function joinSteps(search: Bound, { since, recorded, events }: StepRange, members?: readonly Kept[]): Sql {
  const { from, to, partner, article } = search;
  const ofTimeline = sql`${raw(sameTimeline('e', 't'))} and ${search.isOf('e')} and e.created_at <= ${recorded}`;
  // The first of these events applies at that instant.
  const lifecycle = sql`
          select e.*
          from event e
          where ${ofTimeline}
            and e.event_type <> 'notification'
            and e.event_at >= coalesce(last.event_at, ${since})
            and e.event_at < ${to}${
              events &&
              sql`
          order by e.event_at
          limit ${events}`
            }`;
  const conditions = [
    partner && sql`s.partner_id = ${partner}`,
    article && sql`${article} in (select json_array_elements_text(s.article_codes))`,
  ].filter((condition) => condition !== undefined);
  const where =
    conditions.length === 0
      ? undefined
      : sql`
      where ${join(conditions, ' and ')}`;
  const kept = raw((members ?? KEPT).map((member) => ` s.${member},`).join(''));
  return sql`${joinInForce(since, ofTimeline, members)}
    cross join lateral (
      select
        s.shard_key,
        s.partner_id,
        greatest(s.began, ${from}) as began,
        coalesce(s.ended, ${to}) as ended,
        s.article_codes,${kept}
        case when s.began >= ${from} then s.event_id end as begins,
        case when s.began >= ${from} then s.event_type end as begins_by,
        s.ended_by as ends,
        s.ended_by_type as ends_by,
        s.articles_before,
        s.articles_after
      from (${selectSteps(lifecycle, IN_FORCE, members)}) s${where}
    ) p`;
}

const TENANT: JsonMember = { name: 'tenant', sql: 't.tenant', as: 'plain' };
/** SQL expression for the members as JSON, with the tenant if the search asks for it. */
export const jsonOf = (members: readonly JsonMember[], { showsTenant }: Pick<PeriodSearch, 'showsTenant'>): string =>
  jsonObjectText(showsTenant ? [...members, TENANT] : members);
