import { ProblemResponse } from '@fibre/problems';
import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from './timeline.js';

export class ConflictingEvent {
  @ApiProperty({ type: String, format: 'uuid', description: 'An event of the timeline.' })
  event_id!: string;

  @ApiProperty({ type: String, enum: EVENT_TYPES, description: 'What happened.' })
  event_type!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it took place, in UTC.' })
  event_at!: string;
}

/** Body of a 409 that names events, for the OpenAPI document. */
export class EventConflictResponse extends ProblemResponse {
  @ApiProperty({ type: [ConflictingEvent], description: 'The conflicting events.' })
  conflicts_with!: ConflictingEvent[];
}
