/** Members that hold until another event of the subscription gives them anew. */
const KEPT = ['option82', 'partner_reference'] as const;

const given = (member: string): string => `e.sys_attributes ->> '${member}'`;
/** How many events of the subscription have given the member so far: equal for the one that gave it and those that it holds for. */
const givers = (member: string): string =>
  `count(l.${member}) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_${member}`;
const inForce = (member: string): string =>
  `max(s.${member}) over (partition by s.shard_key, s.period, s.givers_of_${member}) as ${member}`;

/**
 * The rule that makes steps of events, for all that shows or charges subscriptions: each activation or update begins a step, which ends with
 * the next lifecycle event, and each activation begins a period.
 *
 * Rows of `shard_key`, `event_id`, `period` (a number), `partner_id`, `article_codes` (JSON), `option82`, `partner_reference`, `began`, and
 * `ended` and `ended_by`, which are null while the step runs.
 *
 * @param lifecycle `select` of whole lifecycle events of one timeline, from an activation on. Windows are partitioned by the shard key
 *   because a Citus cluster requires it.
 */
export const selectSteps = (lifecycle: string): string => `
  select s.shard_key, s.event_id, s.period, s.article_codes, s.event_at as began, s.ended, s.ended_by,
    max(s.partner_id) over (partition by s.shard_key, s.period) as partner_id, ${KEPT.map(inForce).join(', ')}
  from (
    select l.*, ${KEPT.map(givers).join(', ')}
    from (
      select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
        ${['partner_id', ...KEPT].map((member) => `${given(member)} as ${member}`).join(', ')},
        count(*) filter (where e.event_type = 'activation') over timeline as period,
        lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by
      from (${lifecycle}) e
      window timeline as (partition by e.shard_key order by e.event_at)
    ) l
  ) s
  where s.event_type <> 'deactivation'`;
