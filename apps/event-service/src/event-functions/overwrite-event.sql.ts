import { USER_ATTRIBUTE_NAMES, USER_ATTRIBUTES } from '../events/event.js';
import { sameTimeline } from '../timeline/timeline.sql.js';

const userTexts = (row: string): string =>
  USER_ATTRIBUTE_NAMES.map((name) => `${row}.${name}${USER_ATTRIBUTES[name] === 'json' ? '::text' : ''}`).join(', ');

/**
 * Replaces all user attributes of an event if they differ; otherwise returns null. The lock of the timeline's row serializes whatever changes
 * an event; an erasure takes the same lock first, so the two never wait for each other. `modified_at` always increases, even within a
 * millisecond.
 */
export const CREATE_OVERWRITE_EVENT = `
  create or replace function overwrite_event(
    shard_key smallint,
    tenant text,
    namespace_id uuid,
    event_id uuid,
    attributes json
  )
  returns event language plpgsql strict as $$
  #variable_conflict use_column
  declare
    written_at timestamptz := write_time();
    sent event := json_populate_record(null::event, overwrite_event.attributes);
    line event;
  begin
    perform 1
    from timeline t
    join event e on ${sameTimeline('e', 't')}
    where e.shard_key = overwrite_event.shard_key
      and t.shard_key = overwrite_event.shard_key
      and e.tenant = overwrite_event.tenant
      and e.namespace_id = overwrite_event.namespace_id
      and e.event_id = overwrite_event.event_id
    for no key update of t;

    select e.* into line
    from event e
    where e.shard_key = overwrite_event.shard_key
      and e.tenant = overwrite_event.tenant
      and e.namespace_id = overwrite_event.namespace_id
      and e.event_id = overwrite_event.event_id;
    if not found
      or line.erased_at is not null
      or (${userTexts('line')}) is not distinct from (${userTexts('sent')})
    then
      return null;
    end if;

    written_at := greatest(written_at, line.modified_at + interval '1 millisecond');
    update timeline t
    set modified_at = greatest(t.modified_at, written_at)
    where ${sameTimeline('t', 'line')};

    update event e
    set
      ${USER_ATTRIBUTE_NAMES.map((name) => `${name} = sent.${name}`).join(',\n      ')},
      overwritten = true,
      modified_at = written_at,
      modified_by = sent.modified_by
    where e.shard_key = line.shard_key
      and e.tenant = line.tenant
      and e.namespace_id = line.namespace_id
      and e.event_id = line.event_id
    returning e.* into line;
    return line;
  end $$`;
