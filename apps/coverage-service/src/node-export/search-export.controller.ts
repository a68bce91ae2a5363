import { Authorize, Caller } from '@fibre/auth';
import { Costs, ExportsFile, FileExports, LogFields } from '@fibre/server';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { FORMATS } from '../files/file-formats.js';
import { SearchExportQuery } from './node-export.requests.js';
import { exportPublished } from './node-export.sql.js';

@Controller('v2/cov/search/export')
@ApiTags('Search')
export class SearchExportController {
  constructor(private readonly exports: FileExports) {}

  @Get()
  @Authorize('coverage:search', { tenant: false })
  @Costs({ limits: ['exports', 'export transactions'] })
  @ApiOperation({
    summary: 'Export nodes of all operators',
    description:
      'All production nodes of all operators that match the filters, as of one moment, as the search shows them: oldest first, with any status. ' +
      'If the export fails, the connection closes before the end of the file.',
  })
  @ExportsFile(Object.values(FORMATS))
  async exportPublishedNodes(
    @Caller() caller: string,
    @Query() query: SearchExportQuery,
    @LogFields() log: LogFields,
    @Res() response: Response,
  ): Promise<void> {
    const { format, ...filters } = query;
    log({ format });
    const file = { ...FORMATS[format], name: `coverage.${format}` };
    await this.exports.send(response, caller, file, exportPublished(file.record, filters));
  }
}
