import { ApiProperty } from '@nestjs/swagger';
import { SubscriptionResponse } from '../timeline/subscription.response.js';
import { ENTITY_STATES } from '../timeline/timeline.js';

const EVENT_AT = { type: String, format: 'date-time', example: '2026-02-01T15:00:00.000+00:00' } as const;
const RECORDED = { type: String, format: 'date-time', example: '2026-02-01T16:00:14.305+00:00' } as const;

/** An entity and the state that follows from its events. The members of the subscription are present only while the entity is active; otherwise, `last_subscription` has them. */
export class EntityResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The billable entity.' })
  entity_id!: string;

  @ApiProperty({
    type: String,
    enum: ENTITY_STATES,
    description:
      '`active`: the last lifecycle event by `event_at` is an activation or update. `inactive`: it is a deactivation. `announced`: there are ' +
      'only notifications.',
  })
  state!: string;

  @ApiProperty({
    ...EVENT_AT,
    description: '`event_at` of the event that began the state: the activation, the deactivation, or the first notification.',
  })
  since!: string;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: 'The internet service provider of the current subscription.' })
  partner_id?: string;

  @ApiProperty({ type: [String], required: false, description: 'What is charged now.', example: ['FIBRE-100'] })
  article_codes?: string[];

  @ApiProperty({ type: String, required: false, description: 'Taken from the latest event of the current subscription that contains it.' })
  option82?: string;

  @ApiProperty({ type: String, required: false, description: 'Taken from the latest event of the current subscription that contains it.' })
  partner_reference?: string;

  @ApiProperty({
    type: SubscriptionResponse,
    required: false,
    description: 'The subscription that has ended, only while the entity is inactive.',
  })
  last_subscription?: SubscriptionResponse;

  @ApiProperty({ type: String, format: 'uuid', description: 'The event of this entity that was recorded last.' })
  last_event_id!: string;

  @ApiProperty({ type: String, description: 'The operator that owns the entity.' })
  tenant!: string;

  @ApiProperty({ ...RECORDED, description: 'When its first event was recorded.' })
  created_at!: string;

  @ApiProperty({ ...RECORDED, description: 'When one of its events was last recorded or overwritten.' })
  modified_at!: string;
}

class StepResponse {
  @ApiProperty({ ...EVENT_AT, description: 'Start of the step, which ends when the next step begins or the period ends.' })
  from!: string;

  @ApiProperty({ type: [String], description: 'What is charged.', example: ['FIBRE-100'] })
  article_codes!: string[];

  @ApiProperty({
    type: String,
    required: false,
    description: 'The value during the step, set by the event that began the step or by an earlier event in the period.',
  })
  option82?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'The value during the step, set by the event that began the step or by an earlier event in the period.',
  })
  partner_reference?: string;

  @ApiProperty({ type: String, format: 'uuid', description: 'The activation or update that began the step.' })
  event_id!: string;
}

class PeriodResponse {
  @ApiProperty({ ...EVENT_AT, description: '`event_at` of the activation.' })
  from!: string;

  @ApiProperty({ ...EVENT_AT, required: false, description: '`event_at` of the deactivation; absent while the subscription runs.' })
  to?: string;

  @ApiProperty({ type: String, format: 'uuid', description: 'The internet service provider.' })
  partner_id!: string;

  @ApiProperty({ type: [StepResponse], description: 'Oldest first.' })
  steps!: StepResponse[];
}

export class EntityWithPeriodsResponse extends EntityResponse {
  @ApiProperty({ type: [PeriodResponse], description: 'Its subscriptions, oldest first, limited to the latest 1,000 steps.' })
  periods!: PeriodResponse[];

  @ApiProperty({ type: Boolean, required: false, enum: [true], description: 'Older steps were left out.' })
  periods_truncated?: boolean;
}
