import { Authorize, Tenant } from '@fibre/auth';
import { Conditions, entityTag, entityTagHeader, ReadConditions, WriteConditions } from '@fibre/dto';
import { ApiBodyProblems, ApiProblems } from '@fibre/problems';
import { MergePatch } from '@fibre/validation';
import { type Page, Paginated } from '@fibre/pagination';
import { ResponseWithHeaders } from '@fibre/server';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotModifiedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CreateAccessNodeRequest, CreateTarget, ListAccessNodesQuery, NodePath, UpdateAccessNodeRequest } from './access-node.requests.js';
import { NodeConflictResponse } from './access-node.problems.js';
import { AccessNodeResponse } from './access-node.response.js';
import type { ShownNode } from './access-node.sql.js';
import { CREATE_EXAMPLES, UPDATE_EXAMPLES } from './access-node.examples.js';
import { AccessNodesService } from './access-nodes.service.js';

const PATH = 'v2/cov/nodes';
const etag = entityTagHeader('node');
const location = { Location: { description: 'Path of the node.', schema: { type: 'string' as const } } };

const withEntityTag = ({ json, version }: ShownNode): ResponseWithHeaders<string> =>
  new ResponseWithHeaders(json, { etag: entityTag(version) });

@Controller(PATH)
@ApiTags('Access nodes')
export class AccessNodesController {
  constructor(private readonly service: AccessNodesService) {}

  @Post()
  @Authorize('coverage:write')
  @ApiOperation({
    summary: 'Create a node',
    description: 'In production or, with `target=prenodes`, in pre-production until a merge moves it to production.',
  })
  @ApiBody({ type: CreateAccessNodeRequest, examples: CREATE_EXAMPLES })
  @ApiCreatedResponse({ type: AccessNodeResponse, description: 'The node.', headers: { ...etag, ...location } })
  @ApiBodyProblems({ 409: ['customer-reference-taken'] }, { 409: NodeConflictResponse })
  async createAccessNode(
    @Tenant() tenant: string,
    @Query() query: CreateTarget,
    @Body() request: CreateAccessNodeRequest,
  ): Promise<ResponseWithHeaders<string>> {
    const { node_id, version, json } = await this.service.create(tenant, query.target, request);
    return new ResponseWithHeaders(json, { etag: entityTag(version), location: `/${PATH}/${node_id}/` });
  }

  @Get()
  @Authorize('coverage:read')
  @ApiOperation({ summary: 'List nodes', description: 'Oldest first, from one collection. Follow the `next` link for more pages.' })
  @Paginated(AccessNodeResponse, 'A page of nodes.')
  listAccessNodes(@Tenant() tenant: string, @Query() query: ListAccessNodesQuery): Promise<Page> {
    return this.service.list(tenant, query);
  }

  @Get(':node_id')
  @Authorize('coverage:read')
  @ApiOperation({ summary: 'Read a node', description: 'By its id, in either collection.' })
  @ApiOkResponse({ type: AccessNodeResponse, description: 'The node.', headers: etag })
  @ApiNotModifiedResponse({ description: 'You have the current version.' })
  @ApiProblems({ 404: ['not-found'] })
  async readAccessNode(
    @Tenant() tenant: string,
    @Param() path: NodePath,
    @Headers() _conditions: ReadConditions,
  ): Promise<ResponseWithHeaders<string>> {
    return withEntityTag(await this.service.read(tenant, path.node_id));
  }

  @Patch(':node_id')
  @Authorize('coverage:write')
  @MergePatch()
  @ApiOperation({
    summary: 'Update a node',
    description: 'A JSON merge patch (RFC 7396): absent members keep their value, and `null` clears an optional one.',
  })
  @ApiBody({ type: UpdateAccessNodeRequest, examples: UPDATE_EXAMPLES })
  @ApiOkResponse({ type: AccessNodeResponse, description: 'The updated node.', headers: etag })
  @ApiBodyProblems({ 404: ['not-found'], 409: ['customer-reference-taken'], 412: ['precondition-failed'] }, { 409: NodeConflictResponse })
  async updateAccessNode(
    @Tenant() tenant: string,
    @Param() path: NodePath,
    @Headers() headers: WriteConditions,
    @Body() request: UpdateAccessNodeRequest,
  ): Promise<ResponseWithHeaders<string>> {
    return withEntityTag(await this.service.update(tenant, path.node_id, request, Conditions.parse(headers)));
  }

  @Delete(':node_id')
  @HttpCode(204)
  @Authorize('coverage:write')
  @ApiOperation({ summary: 'Delete a node', description: 'By its id, in either collection.' })
  @ApiNoContentResponse({ description: 'The node was deleted.' })
  @ApiProblems({ 404: ['not-found'], 412: ['precondition-failed'] })
  deleteAccessNode(@Tenant() tenant: string, @Param() path: NodePath, @Headers() headers: WriteConditions): Promise<void> {
    return this.service.delete(tenant, path.node_id, Conditions.parse(headers));
  }
}
