import { ApiProperty } from '@nestjs/swagger';

const INSTANT = { type: String, format: 'date-time', example: '2026-09-30T22:00:00.000+00:00' } as const;

const BEGINNINGS = ['activation', 'update'] as const;
const ENDINGS = ['update', 'deactivation'] as const;

/** Part of a subscription, within the window, during which nothing changed. */
export class ChargedStepResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The billable entity.' })
  entity_id!: string;

  @ApiProperty({ type: String, format: 'uuid', description: 'The internet service provider.' })
  partner_id!: string;

  @ApiProperty({ ...INSTANT, description: 'Start, inclusive; not before the window.' })
  from!: string;

  @ApiProperty({ ...INSTANT, description: 'End, exclusive; not after the window.' })
  to!: string;

  @ApiProperty({ type: [String], description: 'What is charged.', example: ['FIBRE-100'] })
  article_codes!: string[];

  @ApiProperty({ type: String, required: false, description: 'The value during the step.' })
  option82?: string;

  @ApiProperty({ type: String, required: false, description: 'The value during the step.' })
  partner_reference?: string;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: 'The event that began the step, if it is within the window.' })
  begins?: string;

  @ApiProperty({ type: String, enum: BEGINNINGS, required: false, description: 'The type of that event.' })
  begins_by?: (typeof BEGINNINGS)[number];

  @ApiProperty({ type: String, format: 'uuid', required: false, description: 'The event that ended the step, if it is within the window.' })
  ends?: string;

  @ApiProperty({ type: String, enum: ENDINGS, required: false, description: 'The type of that event.' })
  ends_by?: (typeof ENDINGS)[number];

  @ApiProperty({ type: Boolean, description: 'Whether the step continues after the window.' })
  runs_on!: boolean;
}

/** An entity whose steps have changed. */
export class CorrectionResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The billable entity.' })
  entity_id!: string;

  @ApiProperty({ type: [ChargedStepResponse], description: 'Its steps that only exist as of `recorded_from`: what must be credited.' })
  before!: ChargedStepResponse[];

  @ApiProperty({ type: [ChargedStepResponse], description: 'Its steps that only exist as of `recorded_until`: what must be charged.' })
  after!: ChargedStepResponse[];

  @ApiProperty({
    type: Boolean,
    required: false,
    enum: [true],
    description:
      'There are more than 1,000 steps on one side: list the periods of this entity with each of the instants as `recorded_until`.',
  })
  truncated?: boolean;
}

/** What an ISP is charged for an article. */
export class TotalResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The internet service provider.' })
  partner_id!: string;

  @ApiProperty({ type: String, description: 'The article.', example: 'FIBRE-100' })
  article_code!: string;

  @ApiProperty({ type: 'integer', description: 'Entities that had the article for some time.' })
  entities!: number;

  @ApiProperty({ type: Number, description: 'Local days of all entities together, with two decimals.', example: 61.5 })
  days!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Subscriptions that an activation within the window began with the article, such as for a set-up fee. ' +
      'An article that an event names twice counts twice, here and in the next three.',
  })
  started!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Updates within the window after which a subscription has the article, but had not before.',
  })
  added!: number;

  @ApiProperty({ type: 'integer', description: 'Updates within the window after which a subscription no longer has the article.' })
  removed!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Subscriptions with the article that a deactivation within the window ended, such as for an exit fee. ' +
      'What ran just before `from`, plus `started` and `added`, minus `removed` and `ended`, is what ran just before `to`.',
  })
  ended!: number;
}
