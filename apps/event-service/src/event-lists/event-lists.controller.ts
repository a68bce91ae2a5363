import { Authorize, Tenant } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { COPY_FORMATS, Costs, FileExports, LogFields } from '@fibre/server';
import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { EventResponse, ListedEventResponse } from '../events/event.response.js';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { ExportEventsQuery, ExportsCsvOrNdjson, ListEventsQuery, ListLatestEventsQuery } from './event-lists.requests.js';
import { EventListsService } from './event-lists.service.js';

@Controller('api/v2/sys/events')
@ApiTags('Events')
export class EventListsController {
  constructor(
    private readonly service: EventListsService,
    private readonly exports: FileExports,
  ) {}

  @Get()
  @Authorize('events:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({ summary: 'List events', description: 'Oldest first by default. Follow the `next` link for more pages.' })
  @Paginated(ListedEventResponse, 'A page of events.')
  listEvents(@Tenant() tenant: string, @Headers() { namespace }: NamespaceHeader, @Query() query: ListEventsQuery): Promise<Page> {
    return this.service.list('events', tenant, namespace, query);
  }

  @Get('latest')
  @Authorize('events:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({
    summary: 'List the latest event of each entity',
    description: 'For each entity, the matching event that was created last. Ordered by entity. Follow the `next` link for more pages.',
  })
  @Paginated(EventResponse, 'A page of events, at most one for each entity.')
  listLatestEvents(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Query() query: ListLatestEventsQuery,
  ): Promise<Page> {
    return this.service.list('latest', tenant, namespace, query);
  }

  @Get('export')
  @Authorize('events:read')
  @Costs({ limits: ['exports', 'export transactions'] })
  @ApiOperation({
    summary: 'Export events',
    description:
      'Exports all events that match the filters, as of one moment, oldest first. ' +
      'In CSV, `sys_attributes` and `usr_attributes` are JSON. If the export fails, the connection closes before the end of the file.',
  })
  @ExportsCsvOrNdjson()
  async exportEvents(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Query() query: ExportEventsQuery,
    @LogFields() log: LogFields,
    @Res() response: Response,
  ): Promise<void> {
    log({ format: query.format });
    const file = { ...COPY_FORMATS[query.format], name: `events.${query.format}` };
    await this.exports.send(response, tenant, file, await this.service.export(tenant, namespace, query));
  }
}
