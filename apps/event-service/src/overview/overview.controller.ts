import { Authorize, Tenant } from '@fibre/auth';
import { Costs } from '@fibre/server';
import { Controller, Get, Headers, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { OverviewRepository } from './overview.repository.js';
import { TrendQuery } from './overview.requests.js';
import { EventOverviewResponse, MonthResponse } from './overview.response.js';

@Controller('api/v2/sys/overview')
@ApiTags('Overview')
export class OverviewController {
  constructor(
    private readonly repository: OverviewRepository,
    private readonly namespaces: NamespacesService,
  ) {}

  @Get()
  @Authorize('events:read')
  @Costs()
  @ApiOperation({
    summary: 'Read the overview',
    description:
      'Entities by state, and the events of the last 24 hours. Numbers up to 10,000 are exact; larger ones may be estimates, which are marked.',
  })
  @ApiOkResponse({ type: EventOverviewResponse, description: 'The numbers.' })
  async readOverview(@Tenant() tenant: string, @Headers() { namespace }: NamespaceHeader): Promise<EventOverviewResponse> {
    return this.repository.read(tenant, await this.namespaces.forReading(tenant, namespace));
  }

  @Get('trend')
  @Authorize('events:read')
  @Costs()
  @ApiOperation({
    summary: 'Read the trend',
    description:
      'Activations and deactivations by the calendar month in which they took place, and the active entities at its end. ' +
      'Oldest month first; the last one is the current one, up to now. All numbers are exact.',
  })
  @ApiOkResponse({ type: [MonthResponse], description: 'The months.' })
  async readTrend(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Query() query: TrendQuery,
  ): Promise<MonthResponse[]> {
    return this.repository.readTrend(tenant, await this.namespaces.forReading(tenant, namespace), query);
  }
}
