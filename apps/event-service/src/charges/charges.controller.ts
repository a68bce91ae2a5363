import { Authorize, Tenant } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { Costs, recordOperations } from '@fibre/server';
import { Controller, Get, Headers, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ClosingPath } from '../closings/closing.requests.js';
import { RELEASE, WINDOW_RELEASE } from '../timeline/period-window.js';
import { RECORDED_UNTIL } from '../periods/periods.service.js';
import { ChargesHeaders, ListChargedClosingsQuery, ListChargedCorrectionsQuery, ListChargesQuery } from './charges.requests.js';
import {
  ChargedClosingResponse,
  ChargedCorrectionResponse,
  ChargedTotalResponse,
  ChargeResponse,
  toChargedClosingResponse,
} from './charges.response.js';
import { ChargesService } from './charges.service.js';

const HEADERS = { [RECORDED_UNTIL]: 'Only events recorded up to this instant count.', [WINDOW_RELEASE]: RELEASE };
const OWN = 'For internet service providers: only what concerns the ISP whose record at an operator names the tenant of your token.';

const { Reads } = recordOperations('closing', { versioned: false });

@Controller('api/v2/sys/charges')
@ApiTags('Charges')
export class ChargesController {
  constructor(private readonly service: ChargesService) {}

  @Get()
  @Authorize('charges:read')
  @Costs({ limits: ['queries of periods', 'large pages'] })
  @ApiOperation({
    summary: 'List what you are charged in a time window',
    description: `${OWN} The steps of your subscriptions, as operators see them in \`/periods\`. Ordered by operator, entity and time.`,
  })
  @Paginated(ChargeResponse, 'A page of steps.', HEADERS)
  listCharges(@Tenant() tenant: string, @Headers() _headers: ChargesHeaders, @Query() query: ListChargesQuery): Promise<Page> {
    return this.service.list('periods', tenant, query);
  }

  @Get('totals')
  @Authorize('charges:read')
  @Costs({ limits: ['queries of periods', 'large pages'] })
  @ApiOperation({
    summary: 'List what you are charged in a time window, by article',
    description: `${OWN} Entities, local days, and how often it began and ended, by article. Ordered by operator and article.`,
  })
  @Paginated(ChargedTotalResponse, 'A page of totals.', HEADERS)
  listChargedTotals(@Tenant() tenant: string, @Headers() _headers: ChargesHeaders, @Query() query: ListChargesQuery): Promise<Page> {
    return this.service.list('totals', tenant, query);
  }

  @Get('corrections')
  @Authorize('charges:read')
  @Costs({ limits: ['queries of periods', 'large pages'] })
  @ApiOperation({
    summary: 'List what has changed since you were charged',
    description: `${OWN} What is credited and charged for an invoice that you already have. Ordered by operator and entity.`,
  })
  @Paginated(ChargedCorrectionResponse, 'A page of entities.', HEADERS)
  listChargedCorrections(
    @Tenant() tenant: string,
    @Headers() _headers: ChargesHeaders,
    @Query() query: ListChargedCorrectionsQuery,
  ): Promise<Page> {
    return this.service.list('corrections', tenant, query);
  }

  @Get('closings')
  @Authorize('charges:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({
    summary: 'List the closings that cover you',
    description: `${OWN} The id of a closing is the value of \`closing\` in the other lists. Oldest first by default.`,
  })
  @Paginated(ChargedClosingResponse, 'A page of closings.')
  listChargedClosings(
    @Tenant() tenant: string,
    @Headers() _headers: ChargesHeaders,
    @Query() query: ListChargedClosingsQuery,
  ): Promise<Page> {
    return this.service.listClosings(tenant, query);
  }

  @Get('closings/:closing_id')
  @Authorize('charges:read')
  @Costs()
  @Reads(ChargedClosingResponse, { summary: 'Read a closing that covers you', description: OWN })
  async readChargedClosing(
    @Tenant() tenant: string,
    @Headers() _headers: ChargesHeaders,
    @Param() path: ClosingPath,
  ): Promise<ChargedClosingResponse> {
    return toChargedClosingResponse(await this.service.readClosing(tenant, path.closing_id));
  }
}
