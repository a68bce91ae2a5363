import { CountField, type CountResponse } from '@fibre/dto';
import { ApiProperty } from '@nestjs/swagger';

export class StateCountsResponse {
  @CountField('Entities with an active subscription.')
  active!: CountResponse;

  @CountField('Entities whose last subscription has ended.')
  inactive!: CountResponse;

  @CountField('Entities with only notifications.')
  announced!: CountResponse;
}

export class EventOverviewResponse {
  @ApiProperty({ type: StateCountsResponse, description: 'Entities by state.' })
  entities!: StateCountsResponse;

  @CountField('Events that were created in the last 24 hours.')
  events_of_last_day!: CountResponse;
}
