import { Actor, Authorize, Tenant } from '@fibre/auth';
import { Conditions, ReadConditions, WriteConditions } from '@fibre/dto';
import { type Page, Paginated } from '@fibre/pagination';
import { ApiBodyProblems } from '@fibre/problems';
import { Costs, LogFields, recordOperations, ResponseWithHeaders } from '@fibre/server';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { EXAMPLE_RELATION } from './access-node.js';
import { ListAccessNodesQuery } from './access-node-filters.requests.js';
import {
  CreateAccessNodeRequest,
  CreateTarget,
  DeleteAccessNodesByIdsRequest,
  DryRunQuery,
  NodePath,
  UpdateAccessNodeRequest,
  UpdateAccessNodesRequest,
} from './access-node.requests.js';
import { NodeConflictResponse } from './access-node.problems.js';
import { AccessNodeResponse, DeletedNodesResponse, UpdatedNodesResponse } from './access-node.response.js';
import { MAX_BULK_MS } from './access-nodes.repository.js';
import { AccessNodesService } from './access-nodes.service.js';

const PATH = 'v2/cov/nodes';
/** For an example. */
const NOBODYS_NODE = '0192d3a5-7c10-7e8b-a2c6-3f9d5b7a1e04';
const { Creates, Reads, Patches, Deletes } = recordOperations('node');
const REFERENCE_TAKEN = { problems: { 409: ['customer-reference-taken'] }, problemTypes: { 409: NodeConflictResponse } };

@Controller(PATH)
@ApiTags('Access nodes')
export class AccessNodesController {
  constructor(private readonly service: AccessNodesService) {}

  @Post()
  @Authorize('coverage:write')
  @Costs({ limits: ['changes of relations'], lockWaitMs: 1_000 })
  @Creates(AccessNodeResponse, {
    summary: 'Create a node',
    description: 'In production or, with `target=prenodes`, in pre-production until a merge moves it to production.',
    body: {
      type: CreateAccessNodeRequest,
      examples: {
        node: { value: { relation_id: EXAMPLE_RELATION, token: 'operation', center: '48.208555, 16.372966', technology: 'ftth' } },
      },
    },
    ...REFERENCE_TAKEN,
  })
  async createAccessNode(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Query() query: CreateTarget,
    @Body() request: CreateAccessNodeRequest,
  ): Promise<ResponseWithHeaders<string>> {
    const { node_id, version, json } = await this.service.create(tenant, actor, query.target, request);
    return ResponseWithHeaders.ofRecord(json, version, `/${PATH}/${node_id}/`);
  }

  @Get()
  @Authorize('coverage:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({
    summary: 'List nodes',
    description: 'Oldest first by default, from one collection. Follow the `next` link for more pages.',
  })
  @Paginated(AccessNodeResponse, 'A page of nodes.')
  listAccessNodes(@Tenant() tenant: string, @Query() query: ListAccessNodesQuery): Promise<Page> {
    return this.service.list(tenant, query);
  }

  // Before the routes with an id, whose pattern matches this path too.
  @Post('deletions')
  @HttpCode(200)
  @Authorize('coverage:write')
  @Costs({ timeLimitMs: MAX_BULK_MS, limits: ['changes of relations'], lockWaitMs: 30_000 })
  @ApiOperation({
    summary: '[Bulk] Delete nodes by their ids',
    description: 'Deletes up to 1,000 nodes, all or none. With `dry_run=true`, only counts them.',
  })
  @ApiBody({ type: DeleteAccessNodesByIdsRequest, examples: { nodes: { value: { node_ids: [NOBODYS_NODE] } } } })
  @ApiOkResponse({ type: DeletedNodesResponse, description: 'How many nodes were deleted, or would be.' })
  @ApiBodyProblems({ 422: ['invalid-request', 'nodes-not-found'] })
  async deleteAccessNodesByIds(
    @Tenant() tenant: string,
    @Query() { dry_run }: DryRunQuery,
    @Body() request: DeleteAccessNodesByIdsRequest,
    @LogFields() log: LogFields,
  ): Promise<DeletedNodesResponse> {
    const result = await this.service.deleteMany(tenant, request, dry_run === 'true');
    log({ ...result, dry_run });
    return result;
  }

  @Get(':node_id')
  @Authorize('coverage:read')
  @Costs()
  @Reads(AccessNodeResponse, { summary: 'Read a node', description: 'By its id, in either collection.' })
  async readAccessNode(
    @Tenant() tenant: string,
    @Param() path: NodePath,
    @Headers() _conditions: ReadConditions,
  ): Promise<ResponseWithHeaders<string>> {
    const { json, version } = await this.service.read(tenant, path.node_id);
    return ResponseWithHeaders.ofRecord(json, version);
  }

  @Patch(':node_id')
  @Authorize('coverage:write')
  @Costs({ limits: ['changes of relations'], lockWaitMs: 1_000 })
  @Patches(AccessNodeResponse, {
    summary: 'Update a node',
    description: 'A JSON merge patch (RFC 7396): absent members keep their value, and `null` clears an optional one.',
    body: { type: UpdateAccessNodeRequest, examples: { token: { value: { token: 'operation' } } } },
    ...REFERENCE_TAKEN,
  })
  async updateAccessNode(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Param() path: NodePath,
    @Headers() headers: WriteConditions,
    @Body() request: UpdateAccessNodeRequest,
  ): Promise<ResponseWithHeaders<string>> {
    const { json, version } = await this.service.update(tenant, actor, path.node_id, request, Conditions.parse(headers));
    return ResponseWithHeaders.ofRecord(json, version);
  }

  @Patch()
  @Authorize('coverage:write')
  @Costs({ timeLimitMs: MAX_BULK_MS, limits: ['changes of relations'], lockWaitMs: 30_000 })
  @ApiOperation({
    summary: '[Bulk] Update nodes',
    description:
      'Sets the same values in up to 1,000 nodes, all or none. A node that already has them is not changed. With `dry_run=true`, only counts them.',
  })
  @ApiBody({ type: UpdateAccessNodesRequest, examples: { token: { value: { node_ids: [NOBODYS_NODE], set: { token: 'operation' } } } } })
  @ApiOkResponse({ type: UpdatedNodesResponse, description: 'How many nodes were changed, or would be.' })
  @ApiBodyProblems({ 422: ['invalid-request', 'nodes-not-found'] })
  async updateAccessNodes(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Query() { dry_run }: DryRunQuery,
    @Body() request: UpdateAccessNodesRequest,
    @LogFields() log: LogFields,
  ): Promise<UpdatedNodesResponse> {
    const result = await this.service.updateMany(tenant, actor, request, dry_run === 'true');
    log({ ...result, dry_run });
    return result;
  }

  @Delete(':node_id')
  @Authorize('coverage:write')
  @Costs({ limits: ['changes of relations'], lockWaitMs: 1_000 })
  @Deletes({ summary: 'Delete a node', description: 'By its id, in either collection.' })
  deleteAccessNode(@Tenant() tenant: string, @Param() path: NodePath, @Headers() headers: WriteConditions): Promise<void> {
    return this.service.delete(tenant, path.node_id, Conditions.parse(headers));
  }
}
