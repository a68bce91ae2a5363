import { ChangesQuery } from '@fibre/changes';
import { EnumField, UuidField } from '@fibre/dto';
import type { Type } from '@nestjs/common';
import { EVENT_TYPES, type EventType } from '../timeline/timeline.js';

/** A query with filters for event changes. */
export function FilteredEventChanges<Base extends Type<object>>(base: Base) {
  class Filtered extends base {
    @UuidField({ description: 'Only events of this entity.', presence: 'if-present' })
    entity_id?: string;

    @EnumField(EVENT_TYPES, { description: 'Only events of this type.', presence: 'if-present' })
    event_type?: EventType;
  }
  return Filtered;
}

export class EventChangesQuery extends FilteredEventChanges(ChangesQuery) {}
