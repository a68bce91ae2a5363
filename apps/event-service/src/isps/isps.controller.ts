import { Actor, Authorize, Tenant } from '@fibre/auth';
import { Conditions, ReadConditions, WriteConditions } from '@fibre/dto';
import { type Page, Paginated } from '@fibre/pagination';
import { Costs, recordOperations, ResponseWithHeaders } from '@fibre/server';
import { Body, Controller, Delete, Get, Headers, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags, IntersectionType } from '@nestjs/swagger';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { EventConflictResponse } from '../timeline/event-conflict.response.js';
import type { Isp } from './isp.entity.js';
import { IspConflictResponse } from './isp.problems.js';
import { CREATE_EXAMPLES, IspPath, IspRequest, ListIspsQuery, PUT_EXAMPLES } from './isp.requests.js';
import { IspResponse, toIspResponse } from './isp.response.js';
import { IspsService } from './isps.service.js';

const PATH = 'api/v2/sys/isps';
const { Creates, Reads, Puts, Deletes } = recordOperations('ISP');
const TAKEN = { problems: { 409: ['isp-name-taken', 'isp-tenant-taken'] }, problemTypes: { 409: IspConflictResponse } };

class ReadHeaders extends IntersectionType(NamespaceHeader, ReadConditions) {}
class WriteHeaders extends IntersectionType(NamespaceHeader, WriteConditions) {}

const responseOf = (isp: Isp, isNew: boolean): ResponseWithHeaders<IspResponse> =>
  ResponseWithHeaders.ofRecord(toIspResponse(isp), isp.version, isNew ? `/${PATH}/${isp.partner_id}/` : undefined);

@Controller(PATH)
@ApiTags('Internet service providers')
export class IspsController {
  constructor(private readonly service: IspsService) {}

  @Post()
  @Authorize('events:write')
  @Costs()
  @Creates(IspResponse, {
    summary: 'Register an ISP',
    description: 'The service assigns the id. Activations use it as `partner_id`.',
    body: { type: IspRequest, examples: CREATE_EXAMPLES },
    ...TAKEN,
  })
  async createIsp(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Headers() { namespace }: NamespaceHeader,
    @Body() request: IspRequest,
  ): Promise<ResponseWithHeaders<IspResponse>> {
    return responseOf(await this.service.create(tenant, actor, namespace, request), true);
  }

  @Get()
  @Authorize('events:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({
    summary: 'List ISPs',
    description:
      'Ordered by `partner_id`, so ISPs whose id the service assigned are listed oldest first by default. Follow the `next` link for more pages.',
  })
  @Paginated(IspResponse, 'A page of ISPs.')
  listIsps(@Tenant() tenant: string, @Headers() { namespace }: NamespaceHeader, @Query() query: ListIspsQuery): Promise<Page> {
    return this.service.list(tenant, namespace, query);
  }

  @Get(':partner_id')
  @Authorize('events:read')
  @Costs()
  @Reads(IspResponse, { summary: 'Read an ISP', description: 'Returns an ISP by its id, in the namespace where it was registered.' })
  async readIsp(
    @Tenant() tenant: string,
    @Headers() headers: ReadHeaders,
    @Param() path: IspPath,
  ): Promise<ResponseWithHeaders<IspResponse>> {
    return responseOf(await this.service.read(tenant, headers.namespace, path.partner_id), false);
  }

  @Put(':partner_id')
  @Authorize('events:write')
  @Costs()
  @Puts(IspResponse, {
    summary: 'Register an ISP under an id that you choose, or replace it',
    description: 'Replaces the whole ISP: absent members are cleared. Safe to repeat.',
    body: { type: IspRequest, examples: PUT_EXAMPLES },
    ...TAKEN,
  })
  async putIsp(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Headers() headers: WriteHeaders,
    @Param() path: IspPath,
    @Body() request: IspRequest,
  ): Promise<ResponseWithHeaders<IspResponse>> {
    const { isp, isNew } = await this.service.put(tenant, actor, headers.namespace, path.partner_id, request, Conditions.parse(headers));
    return responseOf(isp, isNew);
  }

  @Delete(':partner_id')
  @Authorize('events:write')
  @Costs()
  @Deletes({
    summary: 'Delete an ISP',
    description: 'Deletes an ISP that no event in the namespace names.',
    problems: { 409: ['isp-in-use'] },
    problemTypes: { 409: EventConflictResponse },
  })
  deleteIsp(@Tenant() tenant: string, @Headers() headers: WriteHeaders, @Param() path: IspPath): Promise<void> {
    return this.service.delete(tenant, headers.namespace, path.partner_id, Conditions.parse(headers));
  }
}
