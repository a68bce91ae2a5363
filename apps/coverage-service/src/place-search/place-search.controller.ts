import { Authorize, Caller } from '@fibre/auth';
import { Deadline } from '@fibre/database';
import { ApiProblems } from '@fibre/problems';
import { ChangesNothing, Costs, LogFields, requireChunks, sendBytes } from '@fibre/server';
import { BodyStream, type StreamedBody } from '@fibre/body';
import { Produces, StreamsBody } from '@fibre/validation';
import { Controller, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { FILE_TYPES, formatOf, FORMATS, isTable } from '../files/file-formats.js';
import { FILE_BODY } from '../files/file-body.openapi.js';
import { needsTable } from './place-search.problems.js';
import { PlaceSearchQuery } from './place-search.requests.js';
import { RESULT_COLUMNS } from './place-search.response.js';
import { MAX_MS, PlaceSearchService } from './place-search.service.js';

@Controller('v2/cov/search')
@ApiTags('Search')
export class PlaceSearchController {
  constructor(private readonly service: PlaceSearchService) {}

  @Post()
  @HttpCode(200)
  @ChangesNothing(true)
  @Authorize('coverage:search', { tenant: false })
  @Costs({
    timeLimitMs: MAX_MS,
    largestBody: 'IMPORT_MAX_BYTES',
    limits: ['searches for many places', 'spool bytes', 'statements for many places'],
  })
  @StreamsBody(...FILE_TYPES)
  @Produces(...FILE_TYPES)
  @ApiOperation({
    summary: 'Search nodes around many places',
    description:
      'Searches around the place of each row: `center`, or `latitude` and `longitude`. If a file has none of these columns, `address_id` names the address of each row, and its results have no distance and no quality. The other columns are returned unchanged and the rows in the same order, even while the file is ' +
      'still arriving. An invalid row gets an `error`; the others get their results. An error in the file after its first rows becomes the last record, and the connection closes. ' +
      'UTF-8, optionally with `Content-Encoding: gzip`. See docs/qualification.md.',
  })
  @ApiBody({ ...FILE_BODY, description: 'A file in one of the import formats, with any columns.' })
  @ApiOkResponse({
    description:
      `The file with the results. A table has \`${RESULT_COLUMNS.join(', ')}\` after its own columns, ` +
      'and a line for each result; ndjson has `{"input", "results"}` or `{"input", "error"}`.',
    schema: { type: 'string' },
  })
  @ApiProblems({
    400: ['malformed-request'],
    408: ['request-timeout'],
    413: ['payload-too-large'],
    415: ['unsupported-media-type'],
    422: ['invalid-request', 'file-refused'],
    426: ['http-version'],
  })
  async searchPlaces(
    @Caller() caller: string,
    @Query() query: PlaceSearchQuery,
    @BodyStream() body: StreamedBody,
    @LogFields() log: LogFields,
    @Res() response: Response,
  ): Promise<void> {
    requireChunks(response.req);
    const own = formatOf(body.mediaType);
    const { format = own } = query;
    if (isTable(format) && !isTable(own)) throw needsTable();
    const search = {
      caller,
      query: { ...query, format },
      signal: Deadline.current!.signal(),
      onEnd: (rows: number) => log({ format, rows }),
    };
    const file = { mediaType: FORMATS[format].mediaType, name: `covered.${format}` };
    await this.service.search(search, body, (bytes) => sendBytes(response, file, bytes));
  }
}
