import { Actor, Authorize, Tenant } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { ApiProblems } from '@fibre/problems';
import { Costs, recordOperations, ResponseWithHeaders } from '@fibre/server';
import { Controller, Delete, Get, Headers, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { EntityPath, ErasePersonalDataQuery, ListEntitiesQuery, ReadEntityQuery } from './entities.requests.js';
import { EntitiesService } from './entities.service.js';
import { MAX_ERASE_MS } from './personal-data.js';
import { EntityResponse, EntityWithPeriodsResponse } from './entity.response.js';

const { Deletes } = recordOperations('entity', { versioned: false });

@Controller('api/v2/sys/entities')
@ApiTags('Entities')
export class EntitiesController {
  constructor(private readonly service: EntitiesService) {}

  @Get()
  @Authorize('events:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({
    summary: 'List entities',
    description:
      'Lists every entity with at least one event, and the state that follows from its events. Ordered by entity. ' +
      'Follow the `next` link for more pages.',
  })
  @Paginated(EntityResponse, 'A page of entities.')
  listEntities(@Tenant() tenant: string, @Headers() { namespace }: NamespaceHeader, @Query() query: ListEntitiesQuery): Promise<Page> {
    return this.service.list(tenant, namespace, query);
  }

  @Get(':entity_id')
  @Authorize('events:read')
  @Costs()
  @ApiOperation({
    summary: 'Read an entity',
    description:
      'Includes its subscription periods: what is charged, and from when to when. With `at`, only events up to that instant count; ' +
      '404 if there are none.',
  })
  @ApiOkResponse({ type: EntityWithPeriodsResponse, description: 'The entity.' })
  @ApiProblems({ 404: ['not-found'] })
  async readEntity(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Param() path: EntityPath,
    @Query() query: ReadEntityQuery,
  ): Promise<ResponseWithHeaders<string>> {
    return new ResponseWithHeaders(await this.service.read(tenant, namespace, path.entity_id, query));
  }

  @Delete(':entity_id/personal-data')
  @Authorize('events:erase')
  @Costs({ timeLimitMs: MAX_ERASE_MS, limits: ['erasures'] })
  @Deletes({
    summary: 'Erase the personal data of an entity',
    description:
      'Clears the user attributes of all its events, in one transaction. Safe to repeat. A repeated event is still recognised, ' +
      'and does not bring them back: these events have `erased_at`. The change feed shows them as `overwritten`. Events recorded later ' +
      'take user attributes again.',
    returns: 'The data was erased, or had been before.',
  })
  erasePersonalData(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Headers() { namespace }: NamespaceHeader,
    @Param() path: EntityPath,
    @Query() query: ErasePersonalDataQuery,
  ): Promise<void> {
    return this.service.erase(tenant, actor, namespace, path.entity_id, query);
  }
}
