import { ApiProperty, PickType } from '@nestjs/swagger';
import { EntityResponse } from '../entities/entity.response.js';

/** A subscription of the ISP that runs. */
export class LineResponse extends PickType(EntityResponse, ['tenant', 'entity_id']) {
  @ApiProperty({
    type: String,
    format: 'uuid',
    description: 'Id of the line: of this entity, as yours at this operator. It never changes.',
  })
  line_id!: string;

  @ApiProperty({ type: String, format: 'uuid', description: 'Your id at this operator.' })
  partner_id!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    example: '2026-02-01T15:00:00.000+00:00',
    description: '`event_at` of the activation.',
  })
  since!: string;

  @ApiProperty({ type: [String], description: 'What is charged at the instant.', example: ['FIBRE-100'] })
  article_codes!: string[];

  @ApiProperty({ type: String, required: false, description: 'DHCP relay agent information for the line (RFC 3046): the circuit.' })
  option82?: string;

  @ApiProperty({ type: String, required: false, description: 'Your reference.' })
  partner_reference?: string;
}
