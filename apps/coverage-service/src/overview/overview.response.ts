import { CountField, CountResponse } from '@fibre/dto';
import { ApiProperty } from '@nestjs/swagger';

/** A count that is always exact. */
const Count = (description: string): PropertyDecorator => ApiProperty({ type: 'integer', minimum: 0, description });

export class StageCountsResponse {
  @CountField('Planned.')
  planned!: CountResponse;

  @CountField('Under construction.')
  construction!: CountResponse;

  @CountField('In operation.')
  operation!: CountResponse;
}

export class WaitingRelationResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The relation.' })
  relation_id!: string;

  @ApiProperty({ type: String, required: false, description: 'Your name for the relation; absent if you have not created it.' })
  name?: string;

  @CountField('Its nodes in pre-production.')
  prenodes!: CountResponse;
}

export class LatestImportResponse {
  @ApiProperty({ type: String, format: 'date-time', description: 'When the import began.' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: 'The relation of all rows, if the request named it.' })
  relation_id?: string;

  @ApiProperty({ type: String, required: false, description: 'Your name for that relation; absent if you have not created it.' })
  name?: string;

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

  @CountField('Relations that you have created.')
  relations!: CountResponse;

  @ApiProperty({
    type: [WaitingRelationResponse],
    description:
      'Relations with nodes in pre-production, including those that you have not created: up to ten, in descending order of their ids, ' +
      'which for created relations means newest first. Only the 1,000 highest ids of your relations with nodes are searched.',
  })
  waiting!: WaitingRelationResponse[];

  @ApiProperty({
    type: [LatestImportResponse],
    description: 'The latest five imports of the last day with an `Idempotency-Key`, newest first.',
  })
  imports!: LatestImportResponse[];
}
