import { Authorize, Tenant } from '@fibre/auth';
import { Costs } from '@fibre/server';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OverviewRepository } from './overview.repository.js';
import { OverviewResponse } from './overview.response.js';

@Controller('v2/cov/overview')
@ApiTags('Overview')
export class OverviewController {
  constructor(private readonly repository: OverviewRepository) {}

  @Get()
  @Authorize('coverage:read')
  @Costs()
  @ApiOperation({
    summary: 'Read the overview',
    description:
      'Nodes by collection and stage, how many of them are connected, the relations that are waiting for a merge, and the imports of the last day. ' +
      'Numbers up to 10,000 are exact; larger ones may be estimates, which are marked.',
  })
  @ApiOkResponse({ type: OverviewResponse, description: 'The numbers.' })
  readOverview(@Tenant() tenant: string): Promise<OverviewResponse> {
    return this.repository.read(tenant);
  }
}
