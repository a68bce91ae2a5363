import { Authorize, Tenant } from '@fibre/auth';
import { Costs, ExportsFile, FileExports, LogFields } from '@fibre/server';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { requireAddressId } from '../node-rules/platform-rules.js';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import { FORMATS } from '../files/file-formats.js';
import { ExportQuery } from './node-export.requests.js';
import { exportNodes } from './node-export.sql.js';

@Controller('v2/cov/nodes/export')
@ApiTags('Access nodes')
export class NodeExportController {
  constructor(
    private readonly exports: FileExports,
    @Inject(COVERAGE_ENV) private readonly env: CoverageEnv,
  ) {}

  @Get()
  @Authorize('coverage:read')
  @Costs({ limits: ['exports', 'export transactions'] })
  @ApiOperation({
    summary: 'Export nodes',
    description:
      'All nodes that match the filters, as of one moment, in a file that can be imported: oldest first, with their settable fields and relation. ' +
      'If the export fails, the connection closes before the end of the file.',
  })
  @ExportsFile(Object.values(FORMATS))
  async exportAccessNodes(
    @Tenant() tenant: string,
    @Query() query: ExportQuery,
    @LogFields() log: LogFields,
    @Res() response: Response,
  ): Promise<void> {
    requireAddressId(this.env, query.address_id);
    const { format, ...filters } = query;
    log({ target: query.target, format });
    const file = { ...FORMATS[format], name: `${query.target}.${format}` };
    await this.exports.send(response, tenant, file, exportNodes(file.record, tenant, filters));
  }
}
