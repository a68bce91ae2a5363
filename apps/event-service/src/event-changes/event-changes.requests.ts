import { ChangesQuery } from '@fibre/changes';
import { EnumField, type Presence, UuidField } from '@fibre/dto';
import type { Type } from '@nestjs/common';
import { EVENT_TYPES, type EventType } from '../timeline/timeline.js';

/** Adds the filters of event changes to a class. */
export function FilteredEventChanges<Base extends Type<object>>(base: Base, presence: Presence) {
  class Filtered extends base {
    @UuidField({ description: 'Only events of this entity.', presence })
    entity_id?: string;

    @EnumField(EVENT_TYPES, { description: 'Only events of this type.', presence })
    event_type?: EventType;
  }
  return Filtered;
}

export class EventChangesQuery extends FilteredEventChanges(ChangesQuery, 'if-present') {}
