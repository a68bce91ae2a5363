import { join, raw, type Sql, sql } from '@fibre/database';

/** Members that apply until another event of the subscription sets them again. */
export const KEPT = ['option82', 'partner_reference'] as const;
export type Kept = (typeof KEPT)[number];

const given = (member: string): string => `e.sys_attributes ->> '${member}'`;
/**
 * How many events of the subscription have set the member so far. An event that sets the member has the same number as the later events to
 * which that value still applies.
 */
const givers = (member: string): string =>
  `count(l.${member}) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_${member}`;
const lastGiven = (member: string): string => `max(s.${member}) over (partition by s.shard_key, s.period, s.givers_of_${member})`;

/** The values of a subscription, as SQL expressions. */
type InForce = Readonly<Record<'partner_id' | Kept, string>>;

/** The values that {@link joinInForce} joins: those of the subscription that runs or, if none does, of the last one. */
export const IN_FORCE: InForce = {
  partner_id: `(activation.sys_attributes ->> 'partner_id')`,
  option82: 'last_option82.value',
  partner_reference: 'last_partner_reference.value',
};

/**
 * Joins a timeline to what applies at an instant: `last`, the last lifecycle event; the last `activation`; and the last events since then
 * that set the members of {@link KEPT}. Each is found by a single step back in an index of such events.
 *
 * @param at SQL expression for the instant
 * @param ofTimeline condition that an event `e` belongs to the timeline
 * @param members the members of {@link KEPT} that are needed
 */
export function joinInForce(at: Sql, ofTimeline: Sql, members: readonly Kept[] = KEPT): Sql {
  const last = (alias: string, columns: string, condition: string): Sql => sql`
      left join lateral (
        select ${raw(columns)} from event e where ${ofTimeline} and e.event_at <= ${at} and ${raw(condition)} order by e.event_at desc limit 1
      ) ${raw(alias)} on true`;
  const joins = [
    last('last', 'e.event_type, e.event_at, e.sys_attributes', `e.event_type <> 'notification'`),
    last('activation', 'e.event_at, e.sys_attributes', `e.event_type = 'activation'`),
    ...members.map((member) =>
      last(
        `last_${member}`,
        `${given(member)} as value`,
        `e.event_type <> 'notification' and (${given(member)}) is not null and e.event_at >= activation.event_at`,
      ),
    ),
  ];
  return join(joins, '');
}

/**
 * The only rule that derives steps from events, for everything that shows or bills subscriptions: each activation or update begins a
 * step, which ends with the next lifecycle event, and each activation begins a period.
 *
 * Each row has `shard_key`, `event_id` and `event_type` of the event that began it, `period` (a number), `partner_id`, `article_codes`
 * (JSON), `option82`, `partner_reference`, `began`, `ended`, and `ended_by` and `ended_by_type` of the event that ended it; the last three
 * are null until the step ends. `articles_before` and `articles_after` are those of the neighbouring steps of the subscription, null if
 * there is none. The window functions partition by the shard key, because Citus requires that.
 *
 * @param lifecycle SQL that selects all columns of the lifecycle events of one timeline
 * @param running the values that apply at the first of these events, if that isn't an activation
 * @param members the members of {@link KEPT} that are needed
 */
export function selectSteps(lifecycle: Sql, running?: InForce, members: readonly Kept[] = KEPT): Sql {
  const shown = (member: keyof InForce, value: string): string =>
    `${running ? `case when s.period = 0 then coalesce(${value}, ${running[member]}) else ${value} end` : value} as ${member}`;
  return sql`
  select s.shard_key, s.event_id, s.event_type, s.period, s.article_codes, s.articles_before, s.articles_after,
    s.event_at as began, s.ended, s.ended_by, s.ended_by_type,
    ${raw([shown('partner_id', 'max(s.partner_id) over (partition by s.shard_key, s.period)'), ...members.map((member) => shown(member, lastGiven(member)))].join(',\n    '))}
  from (
    select ${raw(['l.*', ...members.map(givers)].join(', '))}
    from (
      select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
        ${raw(['partner_id', ...members].map((member) => `${given(member)} as ${member}`).join(', '))},
        count(*) filter (where e.event_type = 'activation') over timeline as period,
        lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by, lead(e.event_type) over timeline as ended_by_type,
        lag(e.sys_attributes -> 'article_codes') over timeline as articles_before,
        lead(e.sys_attributes -> 'article_codes') over timeline as articles_after
      from (${lifecycle}) e
      window timeline as (partition by e.shard_key order by e.event_at)
    ) l
  ) s
  where s.event_type <> 'deactivation'`;
}
