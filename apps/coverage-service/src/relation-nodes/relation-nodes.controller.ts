import { Actor, Authorize, Tenant } from '@fibre/auth';
import { Costs, LogFields } from '@fibre/server';
import { Controller, Delete, HttpCode, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MergeResponse, toMergeResponse } from './merge.response.js';
import { BulkDeleteQuery, RelationQuery } from './relation-nodes.requests.js';
import { MAX_BULK_MS } from '../access-nodes/access-nodes.repository.js';
import { RelationNodesService } from './relation-nodes.service.js';

@Controller('v2/cov/nodes')
@ApiTags('Access nodes')
export class RelationNodesController {
  constructor(private readonly service: RelationNodesService) {}

  @Put()
  @HttpCode(200)
  @Authorize('coverage:write')
  @Costs({ timeLimitMs: MAX_BULK_MS, limits: ['changes of relations'], lockWaitMs: 30_000 })
  @ApiOperation({
    summary: '[Bulk] Merge nodes',
    description:
      'Moves all pre-production nodes of a relation to production. A node whose customer reference already exists in production replaces the ' +
      'settable fields of that node and is then deleted; a production node that is already equal is not changed. All or nothing; safe to repeat.',
  })
  @ApiOkResponse({ type: MergeResponse, description: 'What was merged.' })
  async mergeAccessNodes(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Query() query: RelationQuery,
    @LogFields() log: LogFields,
  ): Promise<MergeResponse> {
    log({ relation_id: query.relation_id });
    const { inserted, updated } = await this.service.merge(tenant, actor, query.relation_id);
    log({ inserted, updated });
    return toMergeResponse({ inserted, updated });
  }

  @Delete()
  @HttpCode(204)
  @Authorize('coverage:write')
  @Costs({ timeLimitMs: MAX_BULK_MS, limits: ['changes of relations'], lockWaitMs: 30_000 })
  @ApiOperation({ summary: '[Bulk] Delete nodes', description: 'Deletes all nodes of a relation in one collection.' })
  @ApiNoContentResponse({ description: 'The collection no longer has any nodes of the relation, or never had any.' })
  async deleteAccessNodes(@Tenant() tenant: string, @Query() query: BulkDeleteQuery, @LogFields() log: LogFields): Promise<void> {
    log({ relation_id: query.relation_id, target: query.target });
    log({ deleted: await this.service.delete(tenant, query.relation_id, query.target) });
  }
}
