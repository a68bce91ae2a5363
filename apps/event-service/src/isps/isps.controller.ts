import { Authorize, Tenant } from '@fibre/auth';
import { Conditions, entityTag, entityTagHeader, ReadConditions, WriteConditions } from '@fibre/dto';
import { type Page, Paginated } from '@fibre/pagination';
import { ApiBodyProblems, ApiProblems } from '@fibre/problems';
import { ResponseWithHeaders } from '@fibre/server';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotModifiedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  IntersectionType,
} from '@nestjs/swagger';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { EventConflictResponse } from '../timeline/timeline.problems.js';
import type { Isp } from './isp.entity.js';
import { IspConflictResponse } from './isp.problems.js';
import { CREATE_EXAMPLES, IspPath, IspRequest, ListIspsQuery, PUT_EXAMPLES } from './isp.requests.js';
import { IspResponse, toIspResponse } from './isp.response.js';
import { IspsService } from './isps.service.js';

const PATH = 'api/v2/sys/isps';
const etag = entityTagHeader('ISP');
const location = { Location: { description: 'Path of the ISP.', schema: { type: 'string' as const } } };

class ReadHeaders extends IntersectionType(NamespaceHeader, ReadConditions) {}
class WriteHeaders extends IntersectionType(NamespaceHeader, WriteConditions) {}

const toVersionedResponse = (isp: Isp): ResponseWithHeaders<IspResponse> =>
  new ResponseWithHeaders(toIspResponse(isp), { etag: entityTag(isp.version) });
const toCreated = (isp: Isp): ResponseWithHeaders<IspResponse> =>
  new ResponseWithHeaders(toIspResponse(isp), { etag: entityTag(isp.version), location: `/${PATH}/${isp.partner_id}/` }, 201);

@Controller(PATH)
@ApiTags('ISPs')
export class IspsController {
  constructor(private readonly service: IspsService) {}

  @Post()
  @Authorize('events:write')
  @ApiOperation({ summary: 'Register an ISP', description: 'The service assigns the id. Activations use it as `partner_id`.' })
  @ApiBody({ type: IspRequest, examples: CREATE_EXAMPLES })
  @ApiCreatedResponse({ type: IspResponse, description: 'The ISP.', headers: { ...etag, ...location } })
  @ApiBodyProblems({ 409: ['isp-name-taken'] }, { 409: IspConflictResponse })
  async createIsp(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Body() request: IspRequest,
  ): Promise<ResponseWithHeaders<IspResponse>> {
    return toCreated(await this.service.create(tenant, namespace, request));
  }

  @Get()
  @Authorize('events:read')
  @ApiOperation({
    summary: 'List ISPs',
    description:
      'Ordered by `partner_id`, so ISPs whose id the service assigned are listed oldest first. Follow the `next` link for more pages.',
  })
  @Paginated(IspResponse, 'A page of ISPs.')
  listIsps(@Tenant() tenant: string, @Headers() { namespace }: NamespaceHeader, @Query() query: ListIspsQuery): Promise<Page> {
    return this.service.list(tenant, namespace, query);
  }

  @Get(':partner_id')
  @Authorize('events:read')
  @ApiOperation({ summary: 'Read an ISP', description: 'Returns an ISP by its id, in the namespace where it was registered.' })
  @ApiOkResponse({ type: IspResponse, description: 'The ISP.', headers: etag })
  @ApiNotModifiedResponse({ description: 'You have the current version.' })
  @ApiProblems({ 404: ['not-found'] })
  async readIsp(
    @Tenant() tenant: string,
    @Headers() headers: ReadHeaders,
    @Param() path: IspPath,
  ): Promise<ResponseWithHeaders<IspResponse>> {
    return toVersionedResponse(await this.service.read(tenant, headers.namespace, path.partner_id));
  }

  @Put(':partner_id')
  @Authorize('events:write')
  @ApiOperation({
    summary: 'Register an ISP under an id that you choose, or replace it',
    description: 'Replaces the whole ISP: absent members are cleared. Safe to repeat.',
  })
  @ApiBody({ type: IspRequest, examples: PUT_EXAMPLES })
  @ApiOkResponse({ type: IspResponse, description: 'The ISP after the request.', headers: etag })
  @ApiCreatedResponse({ type: IspResponse, description: 'The new ISP.', headers: { ...etag, ...location } })
  @ApiBodyProblems({ 409: ['isp-name-taken'], 412: ['precondition-failed'] }, { 409: IspConflictResponse })
  async putIsp(
    @Tenant() tenant: string,
    @Headers() headers: WriteHeaders,
    @Param() path: IspPath,
    @Body() request: IspRequest,
  ): Promise<ResponseWithHeaders<IspResponse>> {
    const { isp, isNew } = await this.service.put(tenant, headers.namespace, path.partner_id, request, Conditions.parse(headers));
    return isNew ? toCreated(isp) : toVersionedResponse(isp);
  }

  @Delete(':partner_id')
  @HttpCode(204)
  @Authorize('events:write')
  @ApiOperation({ summary: 'Delete an ISP', description: 'Deletes an ISP that no event in the namespace names.' })
  @ApiNoContentResponse({ description: 'The ISP was deleted.' })
  @ApiProblems({ 404: ['not-found'], 409: ['isp-in-use'], 412: ['precondition-failed'] }, { 409: EventConflictResponse })
  deleteIsp(@Tenant() tenant: string, @Headers() headers: WriteHeaders, @Param() path: IspPath): Promise<void> {
    return this.service.delete(tenant, headers.namespace, path.partner_id, Conditions.parse(headers));
  }
}
