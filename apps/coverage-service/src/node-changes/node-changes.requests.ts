import { ChangesQuery } from '@fibre/changes';
import { type Presence, UuidField } from '@fibre/dto';
import type { Type } from '@nestjs/common';

/** Adds the filters of node changes to a class. */
export function FilteredNodeChanges<Base extends Type<object>>(base: Base, presence: Presence) {
  class Filtered extends base {
    @UuidField({ description: 'Only nodes of this relation.', presence })
    relation_id?: string;
  }
  return Filtered;
}

export class NodeChangesQuery extends FilteredNodeChanges(ChangesQuery, 'if-present') {}
