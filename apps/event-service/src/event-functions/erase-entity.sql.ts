import { NIL as PRODUCTION } from 'uuid';
import { USER_ATTRIBUTE_NAMES } from '../events/event.js';
import { sameTimeline } from '../timeline/timeline.sql.js';
import { isLineOf } from './line-rows.sql.js';

/** Whether an event `e` has a value that `with_line` erases. */
const HAS_LINE = `coalesce(e.sys_attributes ->> 'option82', e.sys_attributes ->> 'partner_reference') is not null`;
/** A member of the `sys_attributes` of an event `e` with the text that it had; null if it has none. */
const member = (name: string): string => `('"${name}":' || (e.sys_attributes -> '${name}')::text)`;
const [ARTICLES, PARTNER] = [member('article_codes'), member('partner_id')];
/** The members of the `sys_attributes` of an event `e` that stay, separated by a comma; null if there is none. */
const STAYING = `coalesce(${ARTICLES} || ',' || ${PARTNER}, ${ARTICLES}, ${PARTNER})`;

/**
 * Clears the user attributes of all events of an entity and, if `with_line`, `option82` and `partner_reference` too, in its timeline as
 * well. Returns whether there is such an entity; if `inactive_before` is not null, it must have been inactive since before then.
 * `sys_hash` stays: a repeat of an event is still recognised, and `erased_at` makes sure that it writes nothing.
 *
 * One statement changes all events, which is faster than one by one. Citus rejects an update with an expression that is not immutable, as
 * the sum of a timestamptz and an interval is; that of a timestamp is.
 */
export const CREATE_ERASE_ENTITY = `
  create or replace function erase_entity(
    shard_key smallint,
    tenant text,
    namespace_id uuid,
    entity_id uuid,
    with_line boolean,
    inactive_before timestamptz,
    erased_by text
  )
  returns boolean language plpgsql as $$
  #variable_conflict use_column
  declare
    written_at timestamptz := write_time();
    line timeline;
    seen_by uuid;
  begin
    select t.* into line
    from timeline t
    where t.shard_key = erase_entity.shard_key
      and t.tenant = erase_entity.tenant
      and t.namespace_id = erase_entity.namespace_id
      and t.entity_id = erase_entity.entity_id
    for update;
    -- The entity may have become active since it was found.
    if not found
      or inactive_before is not null and (line.state <> 'inactive' or line.state_since >= inactive_before)
    then
      return false;
    end if;

    -- What an ISP sees of its line changes if one of the events of the subscription that it sees has a value.
    if with_line and line.namespace_id = '${PRODUCTION}' then
      for seen_by in
        select distinct (e.sys_attributes ->> 'partner_id')::uuid
        from event e
        where ${sameTimeline('e', 'line')}
          and e.event_type = 'activation'
      loop
        update line_change r
        set changed_at = greatest(r.changed_at, written_at)
        where ${isLineOf('r', 'seen_by')}
          and exists (
            select 1
            from event e
            where ${sameTimeline('e', 'line')}
              and e.event_type <> 'notification'
              and ${HAS_LINE}
              and e.event_at < coalesce(r.ended_at, 'infinity')
              and e.event_at >= (
                select max(a.event_at)
                from event a
                where ${sameTimeline('a', 'line')}
                  and a.event_type = 'activation'
                  and a.event_at < coalesce(r.ended_at, 'infinity')
              )
          );
      end loop;
    end if;

    update event e
    set
      ${USER_ATTRIBUTE_NAMES.map((name) => `${name} = null`).join(',\n      ')},
      sys_attributes = case
        when with_line and ${HAS_LINE} then ('{' || ${STAYING} || '}')::json
        else e.sys_attributes
      end,
      overwritten = true,
      erased_at = written_at,
      modified_by = erase_entity.erased_by,
      modified_at = greatest(written_at, (e.modified_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')
    where ${sameTimeline('e', 'line')}
      and (e.erased_at is null or with_line and ${HAS_LINE});
    if found then
      select max(e.modified_at) into line.modified_at
      from event e
      where ${sameTimeline('e', 'line')};
    end if;

    if with_line then
      line.option82 := null;
      line.partner_reference := null;
    end if;
    update timeline t
    set
      modified_at = line.modified_at,
      option82 = line.option82,
      partner_reference = line.partner_reference,
      erased = true
    where ${sameTimeline('t', 'line')};
    return true;
  end $$`;
