import { Actor, Authorize, Tenant } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { Costs, recordOperations, ResponseWithHeaders } from '@fibre/server';
import { Body, Controller, Get, Headers, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { RELEASE, WINDOW_RELEASE } from '../timeline/period-window.js';
import { ClosingPath, CREATE_EXAMPLES, CreateClosingHeaders, CreateClosingRequest, ListClosingsQuery } from './closing.requests.js';
import { ClosingResponse, toClosingResponse } from './closing.response.js';
import { ClosingsService } from './closings.service.js';

const PATH = 'api/v2/sys/closings';
const { Creates, Reads } = recordOperations('closing', { versioned: false });

@Controller(PATH)
@ApiTags('Billing')
export class ClosingsController {
  constructor(private readonly service: ClosingsService) {}

  @Post()
  @Authorize(['closings:write', 'events:write'])
  @Costs()
  @Creates(ClosingResponse, {
    summary: 'Close a time window',
    description:
      'Remembers what was invoiced: `closing` then returns the same periods and totals for ever, and what has changed since. ' +
      'Covers what was reviewed (`recorded_until`), or everything that is settled now. A closing is never changed or deleted; close the ' +
      'window again after a correction.',
    body: { type: CreateClosingRequest, examples: CREATE_EXAMPLES },
    headers: { [WINDOW_RELEASE]: RELEASE },
    problems: { 422: ['invalid-request', 'idempotency-key-taken'] },
  })
  async createClosing(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Headers() headers: CreateClosingHeaders,
    @Body() request: CreateClosingRequest,
  ): Promise<ResponseWithHeaders<ClosingResponse>> {
    const closing = await this.service.create(tenant, actor, headers.namespace, request, headers['idempotency-key']);
    const located = { location: `/${PATH}/${closing.closing_id}/`, [WINDOW_RELEASE]: closing.timezone_release };
    return new ResponseWithHeaders(toClosingResponse(closing), located);
  }

  @Get()
  @Authorize('events:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({ summary: 'List closings', description: 'Oldest first by default. Follow the `next` link for more pages.' })
  @Paginated(ClosingResponse, 'A page of closings.')
  listClosings(@Tenant() tenant: string, @Headers() { namespace }: NamespaceHeader, @Query() query: ListClosingsQuery): Promise<Page> {
    return this.service.list(tenant, namespace, query);
  }

  @Get(':closing_id')
  @Authorize('events:read')
  @Costs()
  @Reads(ClosingResponse, { summary: 'Read a closing', description: 'Returns a closing by its id, in the namespace where it was created.' })
  async readClosing(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Param() path: ClosingPath,
  ): Promise<ClosingResponse> {
    return toClosingResponse(await this.service.read(tenant, namespace, path.closing_id));
  }
}
