import {
  EnumField,
  type Fault,
  Field,
  KeyField,
  Satisfies,
  TextField,
  TIME_ZONE_RELEASE,
  Timestamp,
  TimestampField,
  UuidField,
} from '@fibre/dto';
import { ValidateNested } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../timeline/timeline.js';
import { DEFAULT_TIMEZONE, isTimeZone, offsetAt } from '../timeline/event-time.js';
import { type SysAttributes, sysAttributesClass, sysAttributesFault } from '../event-attributes/sys-attributes.js';
import { NUMBERS, usrAttributesFault } from '../event-attributes/usr-attributes.js';

/** Maximum lengths of strings, in code points. */
const MAX_REFERENCE = 255;
const MAX_COMMENT = 4_000;

export class EventPath {
  @UuidField({ description: 'The event.' })
  event_id!: string;
}

export class RecordEventQuery {
  @EnumField(['true', 'false'], {
    description: 'Validates and decides as always, but writes nothing.',
    presence: 'if-present',
    default: 'false',
  })
  dry_run: 'true' | 'false' = 'false';
}

export class RecordEventRequest {
  @UuidField({ description: 'The billable entity. Core attribute.' })
  entity_id!: string;

  @EnumField(EVENT_TYPES, { description: 'Core attribute.' })
  event_type!: EventType;

  @TimestampField({
    description:
      'When it took place, in RFC 3339 format with up to six decimals and the UTC offset of `event_timezone` at that instant. ' +
      'Core attribute.',
    example: '2026-02-01T16:00:00+01:00',
  })
  event_at!: Timestamp;

  @Field(
    { description: 'IANA time zone of the event.', presence: 'optional', default: DEFAULT_TIMEZONE },
    { type: String, pattern: '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$' },
    Satisfies((value) =>
      isTimeZone(value) ? undefined : 'must be a name from the IANA time zone database in its exact case, such as Europe/Vienna',
    ),
  )
  event_timezone?: string | null;

  @Field(
    {
      description: 'Core attribute. Activation and update: required; deactivation: must be absent.',
      presence: 'by-rule',
      nested: sysAttributesClass,
    },
    // The members of `sys_attributes` depend on the event type; see RecordEventBody.
    { type: 'object', additionalProperties: true },
    Satisfies(sysAttributesFault),
    ValidateNested(),
  )
  sys_attributes?: SysAttributes | null;

  @KeyField(1, MAX_REFERENCE, { description: 'Your own reference. User attribute.', presence: 'optional' })
  usr_reference?: string | null;

  @Field(
    { description: `Any JSON object up to 16 KiB and 8 levels deep; ${NUMBERS}. User attribute.`, presence: 'optional' },
    { type: 'object', additionalProperties: true },
    Satisfies(usrAttributesFault),
  )
  usr_attributes?: object | null;

  @TextField(1, MAX_COMMENT, { description: 'User attribute.', presence: 'optional' })
  comment?: string | null;

  /**
   * The offset of `event_at` must match the time zone at that instant. The handler judges it, because the offset of an event that is already
   * recorded was right then: a later release of the zone database must not turn its repeat into a refusal.
   */
  faultsForHandler(): readonly Fault[] {
    const { event_at: at, event_timezone } = this;
    const zone = event_timezone ?? DEFAULT_TIMEZONE;
    if (!(at instanceof Timestamp) || !isTimeZone(zone)) return [];
    const expected = offsetAt(at.instant, zone);
    if (at.offset === expected) return [];
    const note = event_timezone == null ? ' (the default event_timezone)' : '';
    const detail = `has the offset ${at.offset}, but ${zone}${note} has ${expected} at that instant (tz database ${TIME_ZONE_RELEASE})`;
    return [{ path: ['event_at'], detail }];
  }
}
