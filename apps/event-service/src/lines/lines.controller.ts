import { Authorize, Tenant } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { COPY_FORMATS, Costs, FileExports, LogFields } from '@fibre/server';
import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ChargesHeaders } from '../charges/charges.requests.js';
import { ExportsCsvOrNdjson } from '../event-lists/event-lists.requests.js';
import { LineResponse } from './line.response.js';
import { ExportLinesQuery, ListLinesQuery } from './lines.requests.js';
import { LINES_AT, LinesService } from './lines.service.js';

const HEADERS = { [LINES_AT]: 'The instant that is shown: `at`, or its default.' };
const OWN = 'For internet service providers: the subscriptions of the ISP whose record at an operator names the tenant of your token.';

@Controller('api/v2/sys/charges/lines')
@ApiTags('Lines')
export class LinesController {
  constructor(
    private readonly service: LinesService,
    private readonly exports: FileExports,
  ) {}

  @Get()
  @Authorize('charges:read')
  @Costs({ limits: ['queries of lines', 'large pages'] })
  @ApiOperation({
    summary: 'List your lines at an instant',
    description:
      `${OWN} Those that run at \`at\`, as of what is recorded now, of every operator. With \`option82\` and \`at\`, it says whether a circuit ` +
      'was yours at that instant. Ordered by entity and operator. Follow the `next` link for more pages; all of them show the same instant.',
  })
  @Paginated(LineResponse, 'A page of lines.', HEADERS)
  listLines(@Tenant() tenant: string, @Headers() _headers: ChargesHeaders, @Query() query: ListLinesQuery): Promise<Page> {
    return this.service.list(tenant, query);
  }

  @Get('export')
  @Authorize('charges:read')
  @Costs({ limits: ['exports', 'export transactions'] })
  @ApiOperation({
    summary: 'Export your lines at an instant',
    description:
      `${OWN} Exports all lines in the list. In CSV, \`article_codes\` is JSON. If the export fails, the connection closes before the end of ` +
      'the file.',
  })
  @ExportsCsvOrNdjson(HEADERS)
  async exportLines(
    @Tenant() tenant: string,
    @Headers() _headers: ChargesHeaders,
    @Query() query: ExportLinesQuery,
    @LogFields() log: LogFields,
    @Res() response: Response,
  ): Promise<void> {
    log({ format: query.format });
    const { statement, headers } = await this.service.export(tenant, query);
    response.set(headers);
    await this.exports.send(response, tenant, { ...COPY_FORMATS[query.format], name: `lines.${query.format}` }, statement);
  }
}
