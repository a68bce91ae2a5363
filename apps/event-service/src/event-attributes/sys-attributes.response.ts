import { ApiProperty } from '@nestjs/swagger';

/** The `sys_attributes` of an event in responses. */
export class SysAttributesResponse {
  @ApiProperty({ type: String, format: 'uuid', required: false, description: 'The internet service provider.' })
  partner_id?: string;

  @ApiProperty({ type: [String], required: false, description: 'What is charged.', example: ['FIBRE-100'] })
  article_codes?: string[];

  @ApiProperty({ type: String, required: false, description: 'Line identifier from the access node (RFC 3046).' })
  option82?: string;

  @ApiProperty({ type: String, required: false, description: "The internet service provider's reference." })
  partner_reference?: string;
}
