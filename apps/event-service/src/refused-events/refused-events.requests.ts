import { UuidField } from '@fibre/dto';
import { OrderedPageQuery } from '@fibre/pagination';

export class ListRefusedEventsQuery extends OrderedPageQuery {
  @UuidField({ description: 'Only events of this entity.', presence: 'if-present' })
  entity_id?: string;
}
