import { ApiProperty } from '@nestjs/swagger';

const Count = (description: string): PropertyDecorator => ApiProperty({ type: 'integer', minimum: 0, description });

export class StateCountsResponse {
  @Count('With a running subscription.')
  active!: number;

  @Count('Whose last subscription has ended.')
  inactive!: number;

  @Count('With notifications only.')
  announced!: number;
}

export class EventOverviewResponse {
  @ApiProperty({ type: StateCountsResponse, description: 'Entities by state.' })
  entities!: StateCountsResponse;

  @Count('Events that were created in the last 24 hours.')
  events_of_last_day!: number;
}
