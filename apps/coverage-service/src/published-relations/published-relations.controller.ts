import { Authorize } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { Costs, recordOperations, ResponseWithHeaders } from '@fibre/server';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RelationPath } from '../relations/relation.requests.js';
import { PublishedRelationsQuery } from './published-relation.requests.js';
import { PublishedRelationResponse } from './published-relation.response.js';
import { PublishedRelationsService } from './published-relations.service.js';

const { Reads } = recordOperations('relation', { versioned: false });

@Controller('v2/cov/search/relations')
@ApiTags('Search')
export class PublishedRelationsController {
  constructor(private readonly service: PublishedRelationsService) {}

  @Get()
  @Authorize('coverage:search', { tenant: false })
  @Costs({ limits: ['large pages'] })
  @ApiOperation({
    summary: 'List relations of all operators',
    description:
      'Who is behind the nodes that the search finds, and whom to contact: the relations that have nodes in production, oldest first. ' +
      'A client that keeps a copy of the nodes can compare it with these counts.',
  })
  @Paginated(PublishedRelationResponse, 'A page of relations.')
  listPublishedRelations(@Query() query: PublishedRelationsQuery): Promise<Page> {
    return this.service.list(query);
  }

  @Get(':relation_id')
  @Authorize('coverage:search', { tenant: false })
  @Costs()
  @Reads(PublishedRelationResponse, {
    summary: 'Read a relation of any operator',
    description: 'Who is behind a node that the search finds. Not found if its operator has not created the relation.',
  })
  async readPublishedRelation(@Param() path: RelationPath): Promise<ResponseWithHeaders<string>> {
    return new ResponseWithHeaders(await this.service.find(path.relation_id));
  }
}
