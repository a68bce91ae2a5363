import { ChangesQuery } from '@fibre/changes';
import { UuidField } from '@fibre/dto';
import type { Type } from '@nestjs/common';

/** A query with filters for node changes. */
export function FilteredNodeChanges<Base extends Type<object>>(base: Base) {
  class Filtered extends base {
    @UuidField({ description: 'Only nodes of this relation.', presence: 'if-present' })
    relation_id?: string;
  }
  return Filtered;
}

export class NodeChangesQuery extends FilteredNodeChanges(ChangesQuery) {}
