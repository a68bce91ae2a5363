import { ApiProperty, IntersectionType, OmitType } from '@nestjs/swagger';
import type { Closing } from '../closings/closing.entity.js';
import { ClosingResponse, toClosingResponse } from '../closings/closing.response.js';
import { ChargedStepResponse, CorrectionResponse, TotalResponse } from '../periods/period.response.js';

class OfOperator {
  @ApiProperty({ type: String, description: 'The operator that charges it.' })
  tenant!: string;
}

export class ChargeResponse extends IntersectionType(ChargedStepResponse, OfOperator) {}

export class ChargedTotalResponse extends IntersectionType(TotalResponse, OfOperator) {}

export class ChargedCorrectionResponse extends IntersectionType(CorrectionResponse, OfOperator) {}

/** A closing without the operator's own comment, warnings and author and, if it covers several ISPs, without its reference. */
export class ChargedClosingResponse extends OmitType(ClosingResponse, ['comment', 'warnings', 'created_by']) {}

export const toChargedClosingResponse = (closing: Closing): ChargedClosingResponse =>
  toClosingResponse({
    ...closing,
    comment: null,
    warnings: [],
    created_by: null,
    reference: closing.partner_id === null ? null : closing.reference,
  });
