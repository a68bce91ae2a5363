import type { Readable } from 'node:stream';
import { Authorize, Tenant } from '@fibre/auth';
import { ApiProblems } from '@fibre/problems';
import { crlfRecords, LogFields, sendFile, type StreamedFile } from '@fibre/server';
import { Produces } from '@fibre/validation';
import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { ExportEventsQuery, type ExportFormat } from './event-export.requests.js';
import { EventExportService } from './event-export.service.js';

const [CSV, NDJSON] = ['text/csv', 'application/x-ndjson'] as const;

const FILES: Readonly<Record<ExportFormat, StreamedFile>> = {
  csv: { mediaType: `${CSV}; charset=utf-8; header=present`, name: 'events.csv', through: crlfRecords },
  ndjson: { mediaType: NDJSON, name: 'events.ndjson' },
};

@Controller('api/v2/sys/events/export')
@ApiTags('Events')
export class EventExportController {
  constructor(private readonly service: EventExportService) {}

  @Get()
  @Authorize('events:read')
  @Produces(CSV, NDJSON)
  @ApiOperation({
    summary: 'Export events',
    description:
      'All events that match the filters, as of one moment, oldest first. In CSV, `sys_attributes` and `usr_attributes` are JSON. ' +
      'If the export fails, the connection closes before the end of the file.',
  })
  @ApiProduces(CSV, NDJSON)
  @ApiOkResponse({
    description: 'The file.',
    schema: { type: 'string' },
    headers: { 'Content-Disposition': { description: 'Suggested file name.', schema: { type: 'string' } } },
  })
  @ApiProblems({ 422: ['invalid-request'] })
  async exportEvents(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Query() query: ExportEventsQuery,
    @LogFields() log: LogFields,
    @Res() response: Response,
  ): Promise<void> {
    log({ format: query.format });
    const copy = (consume: (bytes: Readable) => Promise<void>): Promise<void> => this.service.copy(tenant, namespace, query, consume);
    await sendFile(response, tenant, FILES[query.format], copy, this.service.maxMs);
  }
}
