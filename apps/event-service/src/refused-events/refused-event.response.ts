import { ProblemResponse } from '@fibre/problems';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { SysAttributesResponse } from '../event-attributes/sys-attributes.response.js';
import { ConflictingEvent } from '../timeline/event-conflict.response.js';
import { EVENT_TYPES } from '../timeline/timeline.js';

/** Why an event was refused: what the response said, without what belongs to that request alone. */
class RefusalResponse extends OmitType(ProblemResponse, ['instance', 'request_id']) {
  @ApiProperty({ type: [ConflictingEvent], required: false, description: 'The conflicting events, if there are any.' })
  conflicts_with?: ConflictingEvent[];
}

/** An event that was refused, without its user attributes and without optional fields that are not set. Written by refused-events.sql.ts. */
export class RefusedEventResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'Id of the refusal, assigned by the service.' })
  refused_id!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was refused.', example: '2026-02-01T16:00:14.305+00:00' })
  refused_at!: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'Who sent it: by default the user name or the OAuth client in the token.',
    example: 'anna@ano.example',
  })
  sent_by?: string;

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

  @ApiProperty({ type: RefusalResponse, description: 'Why it was refused, as in the response to the request.' })
  problem!: RefusalResponse;

  @ApiProperty({ type: String, description: 'The operator that sent it.' })
  tenant!: string;
}
