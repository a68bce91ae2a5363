import { NIL as PRODUCTION } from 'uuid';
import { lineId, sameTimeline } from '../timeline/timeline.sql.js';
import { fields, isLineOf } from './line-rows.sql.js';

/** What an ISP sees of a line that runs, or ran last; without a partner, there is nothing to see. */
const SEEN = ['partner_id', 'state_since', 'article_codes', 'option82', 'partner_reference'];

/** Whether an event of a subscription that has ended sets a member that nobody has set since, to another value than it had at the end. */
const changesEnd = (member: string): string => `
        added.sys_attributes ->> '${member}' is not null and coalesce((
          select e.event_at < added.event_at and (e.sys_attributes ->> '${member}') <> (added.sys_attributes ->> '${member}')
          from event e
          where ${sameTimeline('e', 'added')}
            and e.event_type <> 'notification'
            and e.event_at >= began
            and e.event_at < ended
            and (e.sys_attributes ->> '${member}') is not null
          order by e.event_at desc
          limit 1
        ), true)`;

/**
 * The part of `append_event` that notes in `line_change` what an ISP now sees of a line in production: `known` is the timeline before the
 * event `added`, `line` the timeline with it.
 */
export const NOTE_LINE_CHANGE = `
    if added.namespace_id = '${PRODUCTION}' then
      -- Another partner's subscription begins only after this one's has ended, so an event changes what one ISP sees, never two.
      seen_by := line.partner_id;
      if seen_by is not null and (${fields('line', SEEN)}) is distinct from (${fields('known', SEEN)}) then
        insert into line_change as r (tenant, partner_id, line_id, shard_key, entity_id, ended_at, created_at, changed_at)
        values (
          added.tenant,
          seen_by,
          ${lineId('added.tenant', 'seen_by', 'added.entity_id')},
          added.shard_key,
          added.entity_id,
          case line.state when 'inactive' then line.state_since end,
          added.created_at,
          added.created_at
        )
        on conflict (tenant, partner_id, line_id, shard_key) do update
        set ended_at = excluded.ended_at, changed_at = excluded.changed_at;
      elsif added.event_type = 'update' and added.event_at < line.state_since then
        -- What an ISP sees of a line that has ended are the last values of its subscription.
        select e.event_at, (e.sys_attributes ->> 'partner_id')::uuid into began, seen_by
        from event e
        where ${sameTimeline('e', 'added')}
          and e.event_type = 'activation'
          and e.event_at < added.event_at
        order by e.event_at desc
        limit 1;
        select e.event_at into ended
        from event e
        where ${sameTimeline('e', 'added')}
          and e.event_type <> 'notification'
          and e.event_type = 'deactivation'
          and e.event_at > added.event_at
        order by e.event_at
        limit 1;
        if ${changesEnd('option82')} or ${changesEnd('partner_reference')} then
          update line_change r
          set changed_at = added.created_at
          where ${isLineOf('r', 'seen_by', 'added')}
            and r.ended_at = ended;
        end if;
      end if;
    end if;`;
