import { TENANT } from '@fibre/auth';
import { Field, Refused } from '@fibre/dto';
import { OrderedPageQuery, PageQuery } from '@fibre/pagination';
import { IntersectionType } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { ChargedQuery, CorrectedQuery } from '../periods/periods.requests.js';

/** The headers of every operation. */
export class ChargesHeaders {
  @Refused('charges are those of the production state')
  namespace?: never;
}

export class OfOperatorQuery {
  @Field(
    { description: 'Only what belongs to this operator.', presence: 'if-present' },
    { type: String, pattern: TENANT.source },
    Matches(TENANT, { message: 'must be the name of a tenant' }),
  )
  tenant?: string;
}

/** The query of lists of steps, and of totals. */
export class ListChargesQuery extends IntersectionType(PageQuery, ChargedQuery, OfOperatorQuery) {}

export class ListChargedCorrectionsQuery extends IntersectionType(PageQuery, CorrectedQuery, OfOperatorQuery) {}

export class ListChargedClosingsQuery extends IntersectionType(OrderedPageQuery, OfOperatorQuery) {}
