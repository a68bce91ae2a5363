import { Actor, Authorize, Tenant } from '@fibre/auth';
import { Deadline } from '@fibre/database';
import { ApiProblems } from '@fibre/problems';
import { Costs, LogFields } from '@fibre/server';
import { BodyStream, type StreamedBody } from '@fibre/body';
import { StreamsBody } from '@fibre/validation';
import { Controller, Headers, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { FILE_TYPES } from '../files/file-formats.js';
import { FILE_BODY } from '../files/file-body.openapi.js';
import { ImportHeaders, ImportQuery } from './node-import.requests.js';
import { ImportProblemResponse, ImportResponse } from './node-import.response.js';
import { MAX_MS, NodeImportService } from './node-import.service.js';

@Controller('v2/cov/nodes/import')
@ApiTags('Access nodes')
export class NodeImportController {
  constructor(private readonly service: NodeImportService) {}

  @Post()
  @HttpCode(200)
  @Authorize('coverage:write')
  @Costs({ timeLimitMs: MAX_MS, largestBody: 'IMPORT_MAX_BYTES', limits: ['imports', 'spool bytes', 'import transactions'] })
  @StreamsBody(...FILE_TYPES)
  @ApiOperation({
    summary: 'Import nodes',
    description:
      'Imports a file of nodes in one transaction. Each column is named after a field; the position is in `center`, or in `latitude` and `longitude`. A row whose `customer_reference` ' +
      'already exists in the collection replaces the settable fields of that node; absent ones are cleared. With `absent=delete`, nodes of the relation that no row names are deleted. ' +
      'UTF-8, optionally with `Content-Encoding: gzip`. See docs/import.md.',
  })
  @ApiBody(FILE_BODY)
  @ApiOkResponse({ type: ImportResponse, description: 'What happened to the rows.' })
  @ApiProblems(
    {
      400: ['malformed-request'],
      408: ['request-timeout'],
      413: ['payload-too-large'],
      415: ['unsupported-media-type'],
      422: ['invalid-request', 'import-refused', 'too-many-deletions', 'idempotency-key-taken'],
    },
    { 400: ImportProblemResponse, 422: ImportProblemResponse },
  )
  async importAccessNodes(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Query() query: ImportQuery,
    @Headers() headers: ImportHeaders,
    @BodyStream() body: StreamedBody,
    @LogFields() log: LogFields,
  ): Promise<ImportResponse> {
    log({ target: query.target, mode: query.mode, absent: query.absent });
    const request = { tenant, actor, query, idempotencyKey: headers['idempotency-key'], signal: Deadline.current!.signal() };
    const report = await this.service.import(request, body);
    const { rows, created, updated, unchanged, refused, deleted } = report;
    log({ rows, created, updated, unchanged, refused, deleted });
    return report;
  }
}
