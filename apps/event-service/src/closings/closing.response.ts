import { CreatedBy, formatTimestamp } from '@fibre/dto';
import { ApiProperty } from '@nestjs/swagger';
import type { Closing } from './closing.entity.js';

const INSTANT = { type: String, format: 'date-time', example: '2026-09-30T22:00:00.000+00:00' } as const;

/** A closing in responses, without optional fields that are not set. */
export class ClosingResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'Id of the closing.' })
  closing_id!: string;

  @ApiProperty({ ...INSTANT, description: 'Start of the window, inclusive.' })
  from!: string;

  @ApiProperty({ ...INSTANT, description: 'End of the window, exclusive.' })
  to!: string;

  @ApiProperty({ type: String, description: 'IANA time zone whose days the totals count.', example: 'Europe/Vienna' })
  timezone!: string;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: 'The internet service provider; absent for all of them.' })
  partner_id?: string;

  @ApiProperty({ type: String, required: false, description: 'Your own reference, such as the number of the invoice.' })
  reference?: string;

  @ApiProperty({ type: String, required: false, description: 'Your own comment.' })
  comment?: string;

  @ApiProperty({ ...INSTANT, description: 'Only events recorded up to this instant count.' })
  recorded_until!: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    required: false,
    description: 'The previous closing of the same window and provider: the corrections since then are what this one adds.',
  })
  previous_closing_id?: string;

  @ApiProperty({
    type: [String],
    required: false,
    description:
      'What to check before you invoice: the window was not over yet, or it overlaps or misses part of a day of a neighbouring closing. ' +
      'Absent if there is nothing.',
  })
  warnings?: readonly string[];

  @ApiProperty({ type: String, description: 'The operator that owns the closing.' })
  tenant!: string;

  @ApiProperty({ ...INSTANT, description: 'When it was created.' })
  created_at!: string;

  @CreatedBy()
  created_by?: string;
}

export const toClosingResponse = (closing: Closing): ClosingResponse => ({
  closing_id: closing.closing_id,
  from: closing.from,
  to: closing.to,
  timezone: closing.timezone,
  partner_id: closing.partner_id ?? undefined,
  reference: closing.reference ?? undefined,
  comment: closing.comment ?? undefined,
  recorded_until: formatTimestamp(closing.recorded_until),
  previous_closing_id: closing.previous_closing_id ?? undefined,
  warnings: closing.warnings.length > 0 ? closing.warnings : undefined,
  tenant: closing.tenant,
  created_at: formatTimestamp(closing.created_at),
  created_by: closing.created_by ?? undefined,
});
