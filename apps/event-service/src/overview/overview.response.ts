import { ApiProperty } from '@nestjs/swagger';

const Count = (description: string): PropertyDecorator => ApiProperty({ type: 'integer', minimum: 0, description });

export class StateCountsResponse {
  @Count('Entities with an active subscription.')
  active!: number;

  @Count('Entities whose last subscription has ended.')
  inactive!: number;

  @Count('Entities with only notifications.')
  announced!: number;
}

export class EventOverviewResponse {
  @ApiProperty({ type: StateCountsResponse, description: 'Entities by state.' })
  entities!: StateCountsResponse;

  @Count('Events that were created in the last 24 hours.')
  events_of_last_day!: number;
}
