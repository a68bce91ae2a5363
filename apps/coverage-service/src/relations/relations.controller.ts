import { Authorize, Tenant } from '@fibre/auth';
import { Conditions, entityTag, entityTagHeader, ReadConditions, WriteConditions } from '@fibre/dto';
import { type Page, Paginated } from '@fibre/pagination';
import { ApiBodyProblems, ApiProblems } from '@fibre/problems';
import { ResponseWithHeaders } from '@fibre/server';
import { MergePatch } from '@fibre/validation';
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
import type { Relation } from './relation.entity.js';
import { RelationConflictResponse } from './relation.problems.js';
import {
  CREATE_EXAMPLES,
  CreateRelationRequest,
  ListRelationsQuery,
  RelationPath,
  UPDATE_EXAMPLES,
  UpdateRelationRequest,
} from './relation.requests.js';
import { CountedRelationResponse, RelationResponse, toRelationResponse } from './relation.response.js';
import { RelationsService } from './relations.service.js';

const PATH = 'v2/cov/relations';
const etag = entityTagHeader('relation');
const location = { Location: { description: 'Path of the relation.', schema: { type: 'string' as const } } };

const toVersionedResponse = (relation: Relation): ResponseWithHeaders<RelationResponse> =>
  new ResponseWithHeaders(toRelationResponse(relation), { etag: entityTag(relation.version) });

@Controller(PATH)
@ApiTags('Relations')
export class RelationsController {
  constructor(private readonly service: RelationsService) {}

  @Post()
  @Authorize('coverage:write')
  @ApiOperation({ summary: 'Create a relation', description: 'Use its `relation_id` to create nodes.' })
  @ApiBody({ type: CreateRelationRequest, examples: CREATE_EXAMPLES })
  @ApiCreatedResponse({ type: RelationResponse, description: 'The relation.', headers: { ...etag, ...location } })
  @ApiBodyProblems({ 409: ['relation-name-taken'] }, { 409: RelationConflictResponse })
  async createRelation(@Tenant() tenant: string, @Body() request: CreateRelationRequest): Promise<ResponseWithHeaders<RelationResponse>> {
    const relation = await this.service.create(tenant, request);
    return new ResponseWithHeaders(toRelationResponse(relation), {
      etag: entityTag(relation.version),
      location: `/${PATH}/${relation.relation_id}/`,
    });
  }

  @Get()
  @Authorize('coverage:read')
  @ApiOperation({ summary: 'List relations', description: 'Oldest first. Follow the `next` link for more pages.' })
  @Paginated(RelationResponse, 'A page of relations.')
  listRelations(@Tenant() tenant: string, @Query() query: ListRelationsQuery): Promise<Page> {
    return this.service.list(tenant, query);
  }

  @Get(':relation_id')
  @Authorize('coverage:read')
  @ApiOperation({
    summary: 'Read a relation',
    description: 'Includes its node counts, which are not part of its version: after a 304 they may have changed.',
  })
  @ApiOkResponse({ type: CountedRelationResponse, description: 'The relation.', headers: etag })
  @ApiNotModifiedResponse({ description: 'You have the current version; the node counts may still have changed.' })
  @ApiProblems({ 404: ['not-found'] })
  async readRelation(
    @Tenant() tenant: string,
    @Param() path: RelationPath,
    @Headers() _conditions: ReadConditions,
  ): Promise<ResponseWithHeaders<CountedRelationResponse>> {
    const { relation, counts } = await this.service.readCounted(tenant, path.relation_id);
    return new ResponseWithHeaders({ ...toRelationResponse(relation), ...counts }, { etag: entityTag(relation.version) });
  }

  @Patch(':relation_id')
  @Authorize('coverage:write')
  @MergePatch()
  @ApiOperation({
    summary: 'Update a relation',
    description: 'A JSON merge patch (RFC 7396): absent members keep their value, and `null` clears the comment.',
  })
  @ApiBody({ type: UpdateRelationRequest, examples: UPDATE_EXAMPLES })
  @ApiOkResponse({ type: RelationResponse, description: 'The updated relation.', headers: etag })
  @ApiBodyProblems({ 404: ['not-found'], 409: ['relation-name-taken'], 412: ['precondition-failed'] }, { 409: RelationConflictResponse })
  async updateRelation(
    @Tenant() tenant: string,
    @Param() path: RelationPath,
    @Headers() headers: WriteConditions,
    @Body() request: UpdateRelationRequest,
  ): Promise<ResponseWithHeaders<RelationResponse>> {
    return toVersionedResponse(await this.service.update(tenant, path.relation_id, request, Conditions.parse(headers)));
  }

  @Delete(':relation_id')
  @HttpCode(204)
  @Authorize('coverage:write')
  @ApiOperation({ summary: 'Delete a relation', description: 'Rejected while it has nodes in either collection.' })
  @ApiNoContentResponse({ description: 'The relation was deleted.' })
  @ApiProblems({ 404: ['not-found'], 409: ['relation-in-use'], 412: ['precondition-failed'] })
  deleteRelation(@Tenant() tenant: string, @Param() path: RelationPath, @Headers() headers: WriteConditions): Promise<void> {
    return this.service.delete(tenant, path.relation_id, Conditions.parse(headers));
  }
}
