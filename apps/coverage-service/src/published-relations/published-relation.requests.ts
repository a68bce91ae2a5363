import { TextField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';

export class PublishedRelationsQuery extends PageQuery {
  @TextField(1, 255, { description: 'Only relations of this operator.', presence: 'if-present' })
  tenant?: string;
}
