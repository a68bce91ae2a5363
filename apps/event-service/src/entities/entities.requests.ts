import { EnumField, KeyField, type Timestamp, TimestampField, UuidField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';
import { MAX_ARTICLE_CODE } from '../event-attributes/sys-attributes.js';
import { ENTITY_STATES, type EntityState } from '../timeline/timeline.js';

export class EntityPath {
  @UuidField({ description: 'The billable entity.' })
  entity_id!: string;
}

const AtField = (): PropertyDecorator =>
  TimestampField({
    description:
      'States as of this instant: events with a later `event_at` do not count, and entities without an earlier one are omitted. A timestamp with ' +
      'UTC offset (RFC 3339), such as 2026-02-01T16:00:14.305+00:00.',
    presence: 'if-present',
  });

export class ReadEntityQuery {
  @AtField()
  at?: Timestamp;
}

export class ListEntitiesQuery extends PageQuery {
  @EnumField(ENTITY_STATES, { description: 'Only entities in this state.', presence: 'if-present' })
  state?: EntityState;

  @UuidField({ description: 'Only entities whose current subscription belongs to this internet service provider.', presence: 'if-present' })
  partner_id?: string;

  @KeyField(1, MAX_ARTICLE_CODE, { description: 'Only entities whose current subscription has this article code.', presence: 'if-present' })
  article_code?: string;

  @AtField()
  at?: Timestamp;
}

export class ErasePersonalDataQuery {
  @EnumField(['true', 'false'], {
    description: 'Also erases `option82` and `partner_reference`, wherever they are stored.',
    presence: 'if-present',
    default: 'false',
  })
  line: 'true' | 'false' = 'false';
}
