import { ListedFeed, SETTLED_UNTIL } from '@fibre/changes';
import { Authorize, Tenant } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { Costs } from '@fibre/server';
import { Controller, Get, Headers, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { EventChangeResponse } from './event-change.response.js';
import { EventChangesQuery } from './event-changes.requests.js';

@Controller('api/v2/sys/events/changes')
@ApiTags('Changes')
export class EventChangesController {
  constructor(private readonly feed: ListedFeed) {}

  @Get()
  @Authorize('events:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({
    summary: 'List changes to events',
    description:
      'For clients that keep a copy: lists each event once, at the position of its last change, oldest first. Follow the `next` link; ' +
      '`[]` means that you have everything up to `x-settled-until`, shortly before now: request `next` again later. ' +
      'Following `next` misses nothing, but may return an event twice. ' +
      'Events are only deleted with their namespace, which the feed does not report.',
  })
  @Paginated(
    EventChangeResponse,
    'A page of changes.',
    {
      [SETTLED_UNTIL]:
        'All changes before this instant are in the feed: on this page, or on an earlier or later one. Later changes may still be missing.',
    },
    true,
  )
  listEventChanges(@Tenant() tenant: string, @Headers() { namespace }: NamespaceHeader, @Query() query: EventChangesQuery): Promise<Page> {
    return this.feed.list({ tenant, namespace }, query);
  }
}
