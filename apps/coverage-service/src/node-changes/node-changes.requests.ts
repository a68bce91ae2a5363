import { ChangesQuery } from '@fibre/changes';
import { UuidField } from '@fibre/dto';
import { IntersectionType } from '@nestjs/swagger';

const RELATION = 'Only nodes of this relation.';

/** The filters of node changes. */
export class NodeChangeFilters {
  @UuidField({ description: RELATION, presence: 'if-present' })
  relation_id?: string;
}

/** The same filters in the body that creates a webhook, where `null` counts as absent. */
export class WebhookNodeFilters {
  @UuidField({ description: RELATION, presence: 'optional' })
  relation_id?: string | null;
}

export class NodeChangesQuery extends IntersectionType(ChangesQuery, NodeChangeFilters) {}
