import { ChangesQuery } from '@fibre/changes';
import { EnumField, Satisfies, UuidField } from '@fibre/dto';
import { IntersectionType } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../timeline/timeline.js';

const ENTITY = 'Only events of this entity.';
const TYPE = 'Only events of this type.';

/** The filters of event changes. */
export class EventChangeFilters {
  @UuidField({ description: ENTITY, presence: 'if-present' })
  entity_id?: string;

  @EnumField(EVENT_TYPES, { description: TYPE, presence: 'if-present' })
  event_type?: EventType;
}

const OfEvents = Satisfies((value, { feed }: { readonly feed?: unknown }) =>
  value != null && feed === 'lines' ? 'must be absent for the feed lines, which has no filters' : undefined,
);

/** The same filters in the body that creates a webhook, where `null` counts as absent. */
export class WebhookEventFilters {
  @UuidField({ description: ENTITY, presence: 'optional' })
  @OfEvents
  entity_id?: string | null;

  @EnumField(EVENT_TYPES, { description: TYPE, presence: 'optional' })
  @OfEvents
  event_type?: EventType | null;
}

export class EventChangesQuery extends IntersectionType(ChangesQuery, EventChangeFilters) {}
