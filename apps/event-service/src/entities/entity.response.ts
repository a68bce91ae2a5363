import { type JsonMember, timestampText } from '@fibre/database';
import { ApiProperty } from '@nestjs/swagger';
import { eventAtText } from '../events/event.response.js';
import { ENTITY_STATES } from '../timeline/entity-state.js';

const EVENT_AT = { type: String, format: 'date-time', example: '2026-02-01T15:00:00.000+00:00' } as const;
const RECORDED = { type: String, format: 'date-time', example: '2026-02-01T16:00:14.305+00:00' } as const;

/** An entity as its events tell of it; members of the running subscription are there while it is active. */
export class EntityResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The billable entity.' })
  entity_id!: string;

  @ApiProperty({
    type: String,
    enum: ENTITY_STATES,
    description:
      '`active`: the last lifecycle event by `event_at` is an activation or update. `inactive`: it is a deactivation. `announced`: there are ' +
      'notifications alone.',
  })
  state!: string;

  @ApiProperty({
    ...EVENT_AT,
    description: '`event_at` of what began the state: the activation, the deactivation, or the first notification.',
  })
  since!: string;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: 'The internet service provider of the running subscription.' })
  partner_id?: string;

  @ApiProperty({ type: [String], required: false, description: 'What is charged now.', example: ['FIBRE-100'] })
  article_codes?: string[];

  @ApiProperty({ type: String, required: false, description: 'As the last event of the running subscription that gives it.' })
  option82?: string;

  @ApiProperty({ type: String, required: false, description: 'As the last event of the running subscription that gives it.' })
  partner_reference?: string;

  @ApiProperty({ type: String, format: 'uuid', description: 'Its event that was recorded last.' })
  last_event_id!: string;

  @ApiProperty({ type: String, description: 'Whose entity it is.' })
  tenant!: string;

  @ApiProperty({ ...RECORDED, description: 'When its first event was recorded.' })
  created_at!: string;

  @ApiProperty({ ...RECORDED, description: 'When an event of it was last recorded or overwritten.' })
  modified_at!: string;
}

class StepResponse {
  @ApiProperty({ ...EVENT_AT, description: 'From when on; until the next step, or the end of the period.' })
  from!: string;

  @ApiProperty({ type: [String], description: 'What is charged.', example: ['FIBRE-100'] })
  article_codes!: string[];

  @ApiProperty({
    type: String,
    required: false,
    description: 'In force during the step: given by its event, or by one before it in the period.',
  })
  option82?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'In force during the step: given by its event, or by one before it in the period.',
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
  @ApiProperty({ type: [PeriodResponse], description: 'Its subscriptions, oldest first, with at most 1,000 steps: the latest ones.' })
  periods!: PeriodResponse[];

  @ApiProperty({ type: Boolean, required: false, enum: [true], description: 'Older steps are left out.' })
  periods_truncated?: boolean;
}

/** The members of an {@link EntityResponse} in SQL; `n` is a row as the statements of entities.sql.ts select it. */
export const ENTITY_MEMBERS: readonly JsonMember[] = [
  { name: 'entity_id', sql: 'n.entity_id', as: 'plain' },
  { name: 'state', sql: 'n.state', as: 'plain' },
  { name: 'since', sql: eventAtText('n.since'), as: 'plain' },
  { name: 'partner_id', sql: 'n.partner_id', as: 'plain', optional: true },
  { name: 'article_codes', sql: 'n.article_codes', as: 'json', optional: true },
  { name: 'option82', sql: 'n.option82', as: 'text', optional: true },
  { name: 'partner_reference', sql: 'n.partner_reference', as: 'text', optional: true },
  { name: 'last_event_id', sql: 'n.last_event_id', as: 'plain' },
  { name: 'tenant', sql: 'n.tenant', as: 'plain' },
  { name: 'created_at', sql: timestampText('n.created_at'), as: 'plain' },
  { name: 'modified_at', sql: timestampText('n.modified_at'), as: 'plain' },
];
