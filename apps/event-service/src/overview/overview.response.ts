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

  @CountField('Events that were refused in the last seven days, of which the last 1,000 are kept.')
  refused_events!: CountResponse;
}

/** A number that is always exact. */
const Exact = (description: string): PropertyDecorator => ApiProperty({ type: 'integer', minimum: 0, description });

export class MonthResponse {
  @ApiProperty({ type: String, pattern: '^[0-9]{4}-[0-9]{2}$', description: 'The calendar month.', example: '2026-02' })
  month!: string;

  @Exact('Activations that took place in it.')
  activations!: number;

  @Exact('Deactivations that took place in it.')
  deactivations!: number;

  @Exact('Entities that were active at its end, or are active now if it has not ended.')
  active!: number;
}
