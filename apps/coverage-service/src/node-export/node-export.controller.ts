import type { Readable } from 'node:stream';
import { Authorize, Tenant } from '@fibre/auth';
import { ApiProblems } from '@fibre/problems';
import { LogFields, sendFile } from '@fibre/server';
import { Produces } from '@fibre/validation';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import { FORMATS } from './node-export.formats.js';
import { NodeExportRepository } from './node-export.repository.js';
import { ExportQuery } from './node-export.requests.js';

const MEDIA_TYPES = Object.values(FORMATS).map(({ mediaType }) => mediaType.split(';', 1)[0]!);

@Controller('v2/cov/nodes/export')
@ApiTags('Access nodes')
export class NodeExportController {
  constructor(
    private readonly repository: NodeExportRepository,
    @Inject(COVERAGE_ENV) private readonly env: CoverageEnv,
  ) {}

  @Get()
  @Authorize('coverage:read')
  @Produces(...MEDIA_TYPES)
  @ApiOperation({
    summary: 'Export nodes',
    description:
      'All nodes that match the filters, as of one moment, in a file that can be imported: oldest first, with settable fields and relation. ' +
      'If the export fails, the connection closes before the end of the file.',
  })
  @ApiProduces(...MEDIA_TYPES)
  @ApiOkResponse({
    description: 'The file.',
    schema: { type: 'string' },
    headers: { 'Content-Disposition': { description: 'Suggested file name.', schema: { type: 'string' } } },
  })
  @ApiProblems({ 422: ['invalid-request'] })
  async exportAccessNodes(
    @Tenant() tenant: string,
    @Query() query: ExportQuery,
    @LogFields() log: LogFields,
    @Res() response: Response,
  ): Promise<void> {
    const { format, ...filters } = query;
    log({ target: query.target, format });
    const file = FORMATS[format];
    const maxMs = this.env.EXPORT_MAX_SECONDS * 1_000;
    const copy = (consume: (bytes: Readable) => Promise<void>): Promise<void> =>
      this.repository.copy(tenant, filters, file, consume, maxMs);
    await sendFile(response, tenant, { ...file, name: `${query.target}.${format}` }, copy, maxMs);
  }
}
