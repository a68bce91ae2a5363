import { CreatedBy, formatTimestamp, ModifiedBy, withoutUnset } from '@fibre/dto';
import { ApiProperty } from '@nestjs/swagger';
import type { Isp } from './isp.entity.js';

/** An ISP in responses, without optional fields that are not set. */
export class IspResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'Id of the ISP, used in events.' })
  partner_id!: string;

  @ApiProperty({ type: String, description: 'Name, unique within tenant and namespace.', example: 'Donau Internet' })
  name!: string;

  @ApiProperty({ type: String, required: false, description: 'Contact address.', example: 'noc@isp.example' })
  email?: string;

  @ApiProperty({ type: String, required: false, description: 'Your own comment.' })
  comment?: string;

  @ApiProperty({ type: String, required: false, description: "The tenant of the ISP's own tokens, which read what it is charged." })
  isp_tenant?: string;

  @ApiProperty({ type: String, description: 'The operator that registered the ISP.' })
  tenant!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was registered.', example: '2026-02-01T16:00:14.305+00:00' })
  created_at!: string;

  @CreatedBy('Who registered it')
  created_by?: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was last changed.', example: '2026-02-01T16:00:14.305+00:00' })
  modified_at!: string;

  @ModifiedBy()
  modified_by?: string;
}

export const toIspResponse = ({
  namespace_id: _,
  version: __,
  tenant,
  created_at,
  created_by,
  modified_at,
  modified_by,
  ...fields
}: Isp): IspResponse => ({
  ...withoutUnset(fields),
  tenant,
  created_at: formatTimestamp(created_at),
  ...withoutUnset({ created_by }),
  modified_at: formatTimestamp(modified_at),
  ...withoutUnset({ modified_by }),
});
