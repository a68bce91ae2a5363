import { ApiProperty } from '@nestjs/swagger';
import type { MergeCounts } from './relation-nodes.sql.js';

class MergedNodes {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of nodes.' })
  count!: number;

  @ApiProperty({
    type: String,
    enum: ['INSERT', 'UPDATE'],
    description:
      '`INSERT`: moved to production. `UPDATE`: replaced the fields of the production node with the same customer reference, or was equal to it.',
  })
  merge_action!: 'INSERT' | 'UPDATE';
}

/** Outcome of a bulk merge (SPEC section 2.3). */
export class MergeResponse {
  @ApiProperty({ type: [MergedNodes], description: 'What happened, by kind; empty if there was nothing to do.' })
  action!: MergedNodes[];
}

export function toMergeResponse({ inserted, updated }: MergeCounts): MergeResponse {
  const actions: MergedNodes[] = [
    { count: inserted, merge_action: 'INSERT' },
    { count: updated, merge_action: 'UPDATE' },
  ];
  return { action: actions.filter(({ count }) => count > 0) };
}
