import { Actor, Authorize, Tenant } from '@fibre/auth';
import { Conditions, ReadConditions, WriteConditions } from '@fibre/dto';
import { type Page, Paginated } from '@fibre/pagination';
import { Costs, recordOperations, ResponseWithHeaders } from '@fibre/server';
import { Body, Controller, Delete, Get, Headers, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RelationConflictResponse } from './relation.problems.js';
import { CreateRelationRequest, ListRelationsQuery, RelationPath, UpdateRelationRequest } from './relation.requests.js';
import { CountedRelationResponse, RelationResponse, toRelationResponse } from './relation.response.js';
import { RelationsService } from './relations.service.js';

const PATH = 'v2/cov/relations';
const { Creates, Reads, Patches, Deletes } = recordOperations('relation');
const NAME_TAKEN = { problems: { 409: ['relation-name-taken'] }, problemTypes: { 409: RelationConflictResponse } };

@Controller(PATH)
@ApiTags('Relations')
export class RelationsController {
  constructor(private readonly service: RelationsService) {}

  @Post()
  @Authorize('coverage:write')
  @Costs()
  @Creates(RelationResponse, {
    summary: 'Create a relation',
    description: 'Use its `relation_id` to create nodes.',
    body: { type: CreateRelationRequest, examples: { relation: { value: { name: 'Innere Stadt', pip: 'Stadtnetz Wien' } } } },
    ...NAME_TAKEN,
  })
  async createRelation(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Body() request: CreateRelationRequest,
  ): Promise<ResponseWithHeaders<RelationResponse>> {
    const relation = await this.service.create(tenant, actor, request);
    return ResponseWithHeaders.ofRecord(toRelationResponse(relation), relation.version, `/${PATH}/${relation.relation_id}/`);
  }

  @Get()
  @Authorize('coverage:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({ summary: 'List relations', description: 'Oldest first by default. Follow the `next` link for more pages.' })
  @Paginated(RelationResponse, 'A page of relations.')
  listRelations(@Tenant() tenant: string, @Query() query: ListRelationsQuery): Promise<Page> {
    return this.service.list(tenant, query);
  }

  @Get(':relation_id')
  @Authorize('coverage:read')
  @Costs()
  @Reads(CountedRelationResponse, {
    summary: 'Read a relation',
    description: 'Includes its node counts, which are not part of its version: after a 304 they may have changed.',
    unchanged: 'You have the current version; the node counts may still have changed.',
  })
  async readRelation(
    @Tenant() tenant: string,
    @Param() path: RelationPath,
    @Headers() _conditions: ReadConditions,
  ): Promise<ResponseWithHeaders<CountedRelationResponse>> {
    const { relation, counts } = await this.service.readCounted(tenant, path.relation_id);
    return ResponseWithHeaders.ofRecord({ ...toRelationResponse(relation), ...counts }, relation.version);
  }

  @Patch(':relation_id')
  @Authorize('coverage:write')
  @Costs()
  @Patches(RelationResponse, {
    summary: 'Update a relation',
    description: 'A JSON merge patch (RFC 7396): absent members keep their value, and `null` clears an optional one.',
    body: { type: UpdateRelationRequest, examples: { name: { value: { name: 'Wien 1' } } } },
    ...NAME_TAKEN,
  })
  async updateRelation(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Param() path: RelationPath,
    @Headers() headers: WriteConditions,
    @Body() request: UpdateRelationRequest,
  ): Promise<ResponseWithHeaders<RelationResponse>> {
    const relation = await this.service.update(tenant, actor, path.relation_id, request, Conditions.parse(headers));
    return ResponseWithHeaders.ofRecord(toRelationResponse(relation), relation.version);
  }

  @Delete(':relation_id')
  @Authorize('coverage:write')
  @Costs()
  @Deletes({
    summary: 'Delete a relation',
    description: 'Rejected while it has nodes in either collection.',
    problems: { 409: ['relation-in-use'] },
  })
  deleteRelation(@Tenant() tenant: string, @Param() path: RelationPath, @Headers() headers: WriteConditions): Promise<void> {
    return this.service.delete(tenant, path.relation_id, Conditions.parse(headers));
  }
}
