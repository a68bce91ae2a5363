import { ApiProperty } from '@nestjs/swagger';
import { EventResponse } from '../events/event.response.js';

/** A change to an event. */
export class EventChangeResponse {
  @ApiProperty({ type: String, enum: ['created', 'overwritten'], description: 'Whether its user attributes have ever been overwritten.' })
  change!: 'created' | 'overwritten';

  @ApiProperty({ type: String, format: 'date-time', description: 'When it changed.', example: '2026-02-01T16:00:14.305+00:00' })
  changed_at!: string;

  @ApiProperty({ type: EventResponse, description: 'The current event.' })
  event!: EventResponse;
}
