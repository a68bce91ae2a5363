import { Authorize, Tenant } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { Costs } from '@fibre/server';
import { Controller, Get, Headers, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { RefusedEventResponse } from './refused-event.response.js';
import { RefusedEvents } from './refused-events.js';
import { ListRefusedEventsQuery } from './refused-events.requests.js';

@Controller('api/v2/sys/events/refused')
@ApiTags('Events')
export class RefusedEventsController {
  constructor(private readonly refused: RefusedEvents) {}

  @Get()
  @Authorize('events:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({
    summary: 'List refused events',
    description:
      'Events that were well-formed but could not be recorded, and why: for seven days, the last 1,000 of the operator. They appear within ' +
      'a second. Oldest first by default. Follow the `next` link for more pages.',
  })
  @Paginated(RefusedEventResponse, 'A page of refused events.')
  listRefusedEvents(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Query() query: ListRefusedEventsQuery,
  ): Promise<Page> {
    return this.refused.list(tenant, namespace, query);
  }
}
