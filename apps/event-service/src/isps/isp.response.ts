import { jsonObjectText, type JsonMember, timestampText } from '@fibre/database';
import { ApiProperty } from '@nestjs/swagger';

/** An ISP as every answer shows it; optional fields that are not set are left out. */
export class IspResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The ISP, as the events name it.' })
  partner_id!: string;

  @ApiProperty({ type: String, description: 'Name, unique within tenant and namespace.', example: 'Donau Internet' })
  name!: string;

  @ApiProperty({ type: String, required: false, description: 'Where to write to.', example: 'noc@isp.example' })
  email?: string;

  @ApiProperty({ type: String, required: false, description: 'Your own comment.' })
  comment?: string;

  @ApiProperty({ type: String, description: 'Whose registry it is in.' })
  tenant!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was registered.', example: '2026-02-01T16:00:14.305+00:00' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was last changed.', example: '2026-02-01T16:00:14.305+00:00' })
  modified_at!: string;
}

/** The members of an {@link IspResponse} in SQL; `i` is the table. */
export const ISP_MEMBERS: readonly JsonMember[] = [
  { name: 'partner_id', sql: 'i.partner_id', as: 'plain' },
  { name: 'name', sql: 'i.name', as: 'text' },
  { name: 'email', sql: 'i.email', as: 'text', optional: true },
  { name: 'comment', sql: 'i.comment', as: 'text', optional: true },
  { name: 'tenant', sql: 'i.tenant', as: 'plain' },
  { name: 'created_at', sql: timestampText('i.created_at'), as: 'plain' },
  { name: 'modified_at', sql: timestampText('i.modified_at'), as: 'plain' },
];

/** SQL expression for the JSON text of an {@link IspResponse}; `i` is the table. */
export const ISP_JSON = jsonObjectText(ISP_MEMBERS);
