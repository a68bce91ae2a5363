import { jsonObjectText, type JsonMember, timestampText } from '@fibre/database';
import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from './event.js';

class SysAttributesResponse {
  @ApiProperty({ type: String, format: 'uuid', required: false, description: 'The internet service provider.' })
  partner_id?: string;

  @ApiProperty({ type: [String], required: false, description: 'What is charged.', example: ['FIBRE-100'] })
  article_codes?: string[];

  @ApiProperty({ type: String, required: false, description: 'Line identifier of the access node (RFC 3046).' })
  option82?: string;

  @ApiProperty({ type: String, required: false, description: 'Reference of the internet service provider.' })
  partner_reference?: string;
}

/** An event as every answer shows it; optional fields that are not set are left out. */
export class EventResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The event; assigned by the service.' })
  event_id!: string;

  @ApiProperty({ type: String, format: 'uuid', description: 'The billable entity.' })
  entity_id!: string;

  @ApiProperty({ type: String, enum: EVENT_TYPES, description: 'What happened.' })
  event_type!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'In UTC; with six digits when it has microseconds.',
    example: '2026-02-01T15:00:00.000+00:00',
  })
  event_at!: string;

  @ApiProperty({ type: String, description: 'IANA time zone where the event took place.', example: 'Europe/Vienna' })
  event_timezone!: string;

  @ApiProperty({ type: SysAttributesResponse, required: false, description: 'Attributes of the service; a deactivation has none.' })
  sys_attributes?: SysAttributesResponse;

  @ApiProperty({ type: String, required: false, description: 'Your own reference.' })
  usr_reference?: string;

  @ApiProperty({ type: 'object', additionalProperties: true, selfRequired: false, description: 'Your own attributes, any JSON object.' })
  usr_attributes?: object;

  @ApiProperty({ type: String, required: false, description: 'Your own comment.' })
  comment?: string;

  @ApiProperty({ type: String, description: 'Whose event it is.' })
  tenant!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was recorded.', example: '2026-02-01T16:00:14.305+00:00' })
  created_at!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When its user attributes were last overwritten, or else when it was recorded.',
    example: '2026-02-01T16:00:14.305+00:00',
  })
  modified_at!: string;
}

/** SQL expression for an `event_at` as the API shows it: what a client reads it can send again. */
export const eventAtText = (sql: string): string =>
  `to_char(${sql} at time zone 'UTC', case when date_trunc('milliseconds', ${sql}) = ${sql}
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end)`;

/** The members of an {@link EventResponse} in SQL; `e` is the table. */
export const EVENT_MEMBERS: readonly JsonMember[] = [
  { name: 'event_id', sql: 'e.event_id', as: 'plain' },
  { name: 'entity_id', sql: 'e.entity_id', as: 'plain' },
  { name: 'event_type', sql: 'e.event_type', as: 'plain' },
  { name: 'event_at', sql: eventAtText('e.event_at'), as: 'plain' },
  { name: 'event_timezone', sql: 'e.event_timezone', as: 'plain' },
  { name: 'sys_attributes', sql: 'e.sys_attributes::text', as: 'json', optional: true },
  { name: 'usr_reference', sql: 'e.usr_reference', as: 'text', optional: true },
  { name: 'usr_attributes', sql: 'e.usr_attributes::text', as: 'json', optional: true },
  { name: 'comment', sql: 'e.comment', as: 'text', optional: true },
  { name: 'tenant', sql: 'e.tenant', as: 'plain' },
  { name: 'created_at', sql: timestampText('e.created_at'), as: 'plain' },
  { name: 'modified_at', sql: timestampText('e.modified_at'), as: 'plain' },
];

/**
 * SQL expression for the JSON text of an {@link EventResponse}; `e` is the table. Every answer is written by it, single
 * events too: the attributes stand in the table as the JSON text they go out as, and microseconds never meet a `Date`.
 */
export const EVENT_JSON = jsonObjectText(EVENT_MEMBERS);
