import { CreatedBy, ModifiedBy } from '@fibre/dto';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import { SysAttributesResponse } from '../event-attributes/sys-attributes.response.js';
import { SubscriptionResponse } from '../timeline/subscription.response.js';
import { EVENT_TYPES } from '../timeline/timeline.js';

/** An event in responses, without optional fields that are not set. Written by event.sql.ts. */
export class EventResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'Id of the event, assigned by the service.' })
  event_id!: string;

  @ApiProperty({ type: String, format: 'uuid', description: 'The billable entity.' })
  entity_id!: string;

  @ApiProperty({ type: String, enum: EVENT_TYPES, description: 'What happened.' })
  event_type!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'In UTC; six decimals if it has microseconds.',
    example: '2026-02-01T15:00:00.000+00:00',
  })
  event_at!: string;

  @ApiProperty({ type: String, description: 'IANA time zone where the event took place.', example: 'Europe/Vienna' })
  event_timezone!: string;

  @ApiProperty({ type: SysAttributesResponse, required: false, description: 'System attributes; a deactivation has none.' })
  sys_attributes?: SysAttributesResponse;

  @ApiProperty({ type: String, required: false, description: 'Your own reference.' })
  usr_reference?: string;

  @ApiProperty({ type: 'object', additionalProperties: true, selfRequired: false, description: 'Your own attributes, any JSON object.' })
  usr_attributes?: object;

  @ApiProperty({ type: String, required: false, description: 'Your own comment.' })
  comment?: string;

  @ApiProperty({ type: String, description: 'The operator that owns the event.' })
  tenant!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was recorded.', example: '2026-02-01T16:00:14.305+00:00' })
  created_at!: string;

  @CreatedBy('Who recorded it')
  created_by?: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When its user attributes were last overwritten, or when it was recorded if they never were.',
    example: '2026-02-01T16:00:14.305+00:00',
  })
  modified_at!: string;

  @ModifiedBy('Who last overwrote its user attributes, or erased its personal data; absent if nobody has')
  modified_by?: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    required: false,
    description:
      'When its personal data was erased. It takes no user attributes any more: the response to a repeat is 200 with `erased_at`, and ' +
      'nothing is stored.',
    example: '2026-02-01T16:00:14.305+00:00',
  })
  erased_at?: string;
}

/** An event in a list. */
export class ListedEventResponse extends EventResponse {
  @ApiProperty({
    type: SubscriptionResponse,
    required: false,
    description:
      'Whose line it was at `event_at`, or last before it. Only with `with_subscription=true`; absent if there was no subscription.',
  })
  subscription?: SubscriptionResponse;
}

/** What a request to record an event would do or has done. */
export const OUTCOMES = ['created', 'repeated', 'overwritten'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The response with status 200: the event, or the outcome of a dry run. Not `oneOf`, for generated clients: see document-faults.ts. */
export class RecordedEventResponse extends PartialType(EventResponse) {
  @ApiProperty({
    type: String,
    enum: OUTCOMES,
    required: false,
    description:
      'Only in the response to a dry run, which has no other member. `created`: the event would be new. `repeated`: it exists with the same attributes. `overwritten`: it exists, and its user attributes would be replaced.',
  })
  outcome?: Outcome;
}
