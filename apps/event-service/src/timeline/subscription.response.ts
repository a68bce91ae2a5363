import { ApiProperty } from '@nestjs/swagger';

/** Whose a line is, and which. */
export class SubscriptionResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The internet service provider.' })
  partner_id!: string;

  @ApiProperty({ type: String, required: false, description: 'Taken from the latest event of the subscription that contains it.' })
  option82?: string;

  @ApiProperty({ type: String, required: false, description: 'Taken from the latest event of the subscription that contains it.' })
  partner_reference?: string;
}
