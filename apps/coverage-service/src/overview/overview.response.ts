import { CountField, CountResponse, CreatedBy } from '@fibre/dto';
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

  @CreatedBy('Who imported it')
  created_by?: string;

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

  @Count('Number of rows that already matched their node.')
  unchanged!: number;

  @Count('Number of rejected rows.')
  refused!: number;

  @Count('Number of nodes deleted because no row named them.')
  deleted!: number;
}

export class OverviewResponse {
  @ApiProperty({ type: StageCountsResponse, description: 'Nodes in production.' })
  nodes!: StageCountsResponse;

  @ApiProperty({ type: StageCountsResponse, description: 'Nodes in pre-production.' })
  prenodes!: StageCountsResponse;

  @CountField('Nodes in production with at least one connected unit.')
  connected!: CountResponse;

  @CountField('Relations that you have created.')
  relations!: CountResponse;

  @CountField('All relations with nodes in pre-production, including those that you have not created.')
  waiting_count!: CountResponse;

  @ApiProperty({
    type: [WaitingRelationResponse],
    description:
      'Up to ten of these relations, newest first. A relation that you have not created is as old as its first node in pre-production.',
  })
  waiting!: WaitingRelationResponse[];

  @CountField('All imports of the last day, without rejected ones and dry runs.')
  imports_count!: CountResponse;

  @ApiProperty({ type: [LatestImportResponse], description: 'These imports, newest first; at most 1,000.' })
  imports!: LatestImportResponse[];
}
