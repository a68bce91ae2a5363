import { ApiProperty } from '@nestjs/swagger';

const INSTANT = { type: String, format: 'date-time', example: '2026-09-30T22:00:00.000+00:00' } as const;

/** What ran within the window, and didn't change. */
export class ChargedStepResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The billable entity.' })
  entity_id!: string;

  @ApiProperty({ type: String, format: 'uuid', description: 'The internet service provider.' })
  partner_id!: string;

  @ApiProperty({ ...INSTANT, description: 'From when on, inclusive; not before the window.' })
  from!: string;

  @ApiProperty({ ...INSTANT, description: 'Until when, exclusive; not after the window.' })
  to!: string;

  @ApiProperty({ type: [String], description: 'What is charged.', example: ['FIBRE-100'] })
  article_codes!: string[];

  @ApiProperty({ type: String, required: false, description: 'In force during the step.' })
  option82?: string;

  @ApiProperty({ type: String, required: false, description: 'In force during the step.' })
  partner_reference?: string;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: 'The event that began it, if that is within the window.' })
  begins?: string;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: 'The event that ended it, if that is within the window.' })
  ends?: string;

  @ApiProperty({ type: Boolean, description: 'Whether it does not end within the window.' })
  runs_on!: boolean;
}

/** An entity whose steps are others than they were. */
export class CorrectionResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The billable entity.' })
  entity_id!: string;

  @ApiProperty({ type: [ChargedStepResponse], description: 'Its steps as recorded by `recorded_from`: what is to be credited.' })
  before!: ChargedStepResponse[];

  @ApiProperty({ type: [ChargedStepResponse], description: 'Its steps as recorded by `recorded_until`: what is to be charged.' })
  after!: ChargedStepResponse[];

  @ApiProperty({
    type: Boolean,
    required: false,
    enum: [true],
    description: 'There are more than 1,000 steps, which the list of periods of this entity has, as recorded by either instant.',
  })
  truncated?: boolean;
}
