import { Check, EnumField, Field, TextField, UuidField } from '@fibre/dto';
import { type Offence, OFFENCES } from '@fibre/validation';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from './event.entity.js';
import { DEFAULT_TIMEZONE, isTimeZone, offsetAt, parseEventTime } from './event-time.js';
import { type SysAttributes, sysAttributesOffences } from './sys-attributes.js';
import { usrAttributesFault } from './usr-attributes.js';

/** Longest strings, in code points. */
const [MAX_REFERENCE, MAX_COMMENT] = [255, 4_000];

export class EventPath {
  @UuidField({ description: 'The event.' })
  event_id!: string;
}

/** Documents `sys_attributes`; its rules depend on the type of the event, see {@link sysAttributesOffences}. */
class SysAttributesRequest {
  @ApiProperty({
    type: String,
    format: 'uuid',
    required: false,
    description: 'The internet service provider. Activation: required; update: refused.',
  })
  partner_id?: string;

  @ApiProperty({
    type: [String],
    required: false,
    minItems: 1,
    maxItems: 64,
    example: ['FIBRE-100'],
    description: '1 to 64 strings of 1 to 64 characters. Activation and update: required.',
  })
  article_codes?: string[];

  @ApiProperty({ type: String, required: false, minLength: 1, maxLength: 255 })
  option82?: string;

  @ApiProperty({ type: String, required: false, minLength: 1, maxLength: 255 })
  partner_reference?: string;
}

@ApiExtraModels(SysAttributesRequest)
export class RecordEventRequest {
  @UuidField({ description: 'The billable entity. Core attribute.' })
  entity_id!: string;

  @EnumField(EVENT_TYPES, { description: 'Core attribute.' })
  event_type!: EventType;

  @Field(
    {
      description: 'When it took place: RFC 3339 with the UTC offset that `event_timezone` has then, up to microseconds. Core attribute.',
      example: '2026-02-01T16:00:00+01:00',
    },
    { type: String, format: 'date-time' },
    Check((value) =>
      parseEventTime(value)
        ? undefined
        : 'has to be a timestamp with UTC offset and at most six decimals, such as 2026-02-01T16:00:00+01:00',
    ),
  )
  event_at!: string;

  @Field(
    { description: 'IANA time zone where it took place.', presence: 'optional', default: DEFAULT_TIMEZONE },
    { type: String },
    Check((value) =>
      isTimeZone(value) ? undefined : 'has to be a name of the IANA time zone database in its exact case, such as Europe/Vienna',
    ),
  )
  event_timezone?: string | null;

  @Field(
    { description: 'Core attribute. Activation and update: required; deactivation: must be absent.', presence: 'optional' },
    { allOf: [{ $ref: getSchemaPath(SysAttributesRequest) }] },
  )
  sys_attributes?: SysAttributes | null;

  @TextField(1, MAX_REFERENCE, { description: 'Your own reference. User attribute.', presence: 'optional' })
  usr_reference?: string | null;

  @Field(
    { description: 'Any JSON object of at most 16 KiB and 8 levels. User attribute.', presence: 'optional' },
    { type: 'object', additionalProperties: true },
    Check(usrAttributesFault),
  )
  usr_attributes?: object | null;

  @TextField(1, MAX_COMMENT, { description: 'User attribute.', presence: 'optional' })
  comment?: string | null;

  [OFFENCES](): Offence[] {
    const known = EVENT_TYPES.includes(this.event_type);
    return [...this.offsetOffences(), ...(known ? sysAttributesOffences(this.sys_attributes, this.event_type) : [])];
  }

  private offsetOffences(): Offence[] {
    const time = parseEventTime(this.event_at);
    const zone = this.event_timezone ?? DEFAULT_TIMEZONE;
    if (!time || !isTimeZone(zone)) return [];
    const expected = offsetAt(time.instant, zone);
    if (time.offset === expected) return [];
    const note = this.event_timezone == null ? ' (the default event_timezone)' : '';
    return [{ path: ['event_at'], detail: `has the offset ${time.offset}; ${zone}${note} has ${expected} at that instant` }];
  }
}
