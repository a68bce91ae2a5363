import { Authorize, Tenant } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { COPY_FORMATS, Costs, FileExports, LogFields } from '@fibre/server';
import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ExportsCsvOrNdjson } from '../event-lists/event-lists.requests.js';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { RELEASE, WINDOW_RELEASE } from '../timeline/period-window.js';
import { ChargedStepResponse, CorrectionResponse, TotalResponse } from './period.response.js';
import { ExportPeriodsQuery, ListCorrectionsQuery, ListPeriodsQuery } from './periods.requests.js';
import type { PeriodReader } from './period-reader.js';
import { PeriodsService, RECORDED_UNTIL } from './periods.service.js';

const HEADERS = {
  [RECORDED_UNTIL]:
    'Only events recorded up to this instant count. Keep it with the invoice: it makes the same request return the same response.',
  [WINDOW_RELEASE]: RELEASE,
};

@Controller('api/v2/sys/periods')
@ApiTags('Billing')
export class PeriodsController {
  constructor(
    private readonly service: PeriodsService,
    private readonly exports: FileExports,
  ) {}

  @Get()
  @Authorize('events:read')
  @Costs({ limits: ['queries of periods', 'large pages'] })
  @ApiOperation({
    summary: 'List the subscriptions in a time window',
    description:
      'The steps of all subscriptions that overlap the window, clipped to it: what is charged, and from when to when. ' +
      'Ordered by entity, then by time. Follow the `next` link for more pages; all of them show the state recorded up to the same instant.',
  })
  @Paginated(ChargedStepResponse, 'A page of steps.', HEADERS)
  async listPeriods(@Tenant() tenant: string, @Headers() { namespace }: NamespaceHeader, @Query() query: ListPeriodsQuery): Promise<Page> {
    return this.service.list('periods', await this.service.readerOf(tenant, namespace), query);
  }

  @Get('corrections')
  @Authorize('events:read')
  @Costs({ limits: ['queries of periods', 'large pages'] })
  @ApiOperation({
    summary: 'List what has changed in a time window',
    description:
      'Entities whose steps in the window differ between `recorded_from` and `recorded_until`: what must be credited and ' +
      'charged for an invoice that was already sent. A step that both have is left out. Ordered by entity. ' +
      'With `closing`: what has changed since that invoice.',
  })
  @Paginated(CorrectionResponse, 'A page of entities.', HEADERS)
  async listCorrections(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Query() query: ListCorrectionsQuery,
  ): Promise<Page> {
    return this.service.list('corrections', await this.service.readerOf(tenant, namespace), query);
  }

  @Get('totals')
  @Authorize('events:read')
  @Costs({ limits: ['queries of periods', 'large pages'] })
  @ApiOperation({
    summary: 'List what is charged in a time window, by ISP and article',
    description:
      'Entities, and days in the time zone of the window: a day counts as one, also if it has 23 or 25 hours. ' +
      'Days are rounded to two decimals after they have been added up. Also how often the article began and ended within the window, ' +
      'for fees that are charged once: an event at `from` counts, one at `to` does not. Ordered by ISP, then by article.',
  })
  @Paginated(TotalResponse, 'A page of totals.', HEADERS)
  async listTotals(@Tenant() tenant: string, @Headers() { namespace }: NamespaceHeader, @Query() query: ListPeriodsQuery): Promise<Page> {
    return this.service.list('totals', await this.service.readerOf(tenant, namespace), query);
  }

  @Get('export')
  @Authorize('events:read')
  @Costs({ limits: ['exports', 'export transactions'] })
  @ApiOperation({
    summary: 'Export the subscriptions in a time window',
    description:
      'Exports all steps in the list. CSV has one line per article of a step. If the export fails, the connection closes before the end of the file.',
  })
  @ExportsCsvOrNdjson(HEADERS)
  async exportPeriods(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Query() query: ExportPeriodsQuery,
    @LogFields() log: LogFields,
    @Res() response: Response,
  ): Promise<void> {
    await this.send('periods', await this.service.readerOf(tenant, namespace), query, log, response);
  }

  @Get('totals/export')
  @Authorize('events:read')
  @Costs({ limits: ['exports', 'export transactions'] })
  @ApiOperation({
    summary: 'Export what is charged in a time window, by ISP and article',
    description: 'Exports all totals in the list. If the export fails, the connection closes before the end of the file.',
  })
  @ExportsCsvOrNdjson(HEADERS)
  async exportTotals(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Query() query: ExportPeriodsQuery,
    @LogFields() log: LogFields,
    @Res() response: Response,
  ): Promise<void> {
    await this.send('totals', await this.service.readerOf(tenant, namespace), query, log, response);
  }

  private async send(
    what: 'periods' | 'totals',
    reader: PeriodReader,
    query: ExportPeriodsQuery,
    log: LogFields,
    response: Response,
  ): Promise<void> {
    log({ format: query.format });
    const { statement, headers } = await this.service.export(what, reader, query);
    response.set(headers);
    await this.exports.send(response, reader.tenant, { ...COPY_FORMATS[query.format], name: `${what}.${query.format}` }, statement);
  }
}
