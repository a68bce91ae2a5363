import { ApiProperty } from '@nestjs/swagger';

const Count = (description: string): PropertyDecorator => ApiProperty({ type: 'integer', minimum: 0, description });

export class StageCountsResponse {
  @Count('Planned.')
  planned!: number;

  @Count('Under construction.')
  construction!: number;

  @Count('In operation.')
  operation!: number;
}

export class WaitingRelationResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The relation.' })
  relation_id!: string;

  @ApiProperty({ type: String, description: 'Your name for the relation.' })
  name!: string;

  @Count('Number of its nodes in pre-production, at most 10,001.')
  prenodes!: number;
}

export class LatestImportResponse {
  @ApiProperty({ type: String, format: 'date-time', description: 'When the import began.' })
  created_at!: string;

  @Count('Number of rows.')
  rows!: number;

  @Count('Number of created nodes.')
  created!: number;

  @Count('Number of changed nodes.')
  updated!: number;

  @Count('Number of rejected rows.')
  refused!: number;
}

export class OverviewResponse {
  @ApiProperty({ type: StageCountsResponse, description: 'Nodes in production.' })
  nodes!: StageCountsResponse;

  @ApiProperty({ type: StageCountsResponse, description: 'Nodes in pre-production.' })
  prenodes!: StageCountsResponse;

  @Count('Number of relations, at most 10,001.')
  relations!: number;

  @ApiProperty({
    type: [WaitingRelationResponse],
    description: 'Up to five of the 200 newest relations that have nodes in pre-production, newest first.',
  })
  waiting!: WaitingRelationResponse[];

  @ApiProperty({
    type: [LatestImportResponse],
    description: 'The latest five imports of the last day with an `Idempotency-Key`, newest first.',
  })
  imports!: LatestImportResponse[];
}
