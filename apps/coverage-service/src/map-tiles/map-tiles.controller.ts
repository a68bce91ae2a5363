import { createHash } from 'node:crypto';
import { Authorize, Tenant } from '@fibre/auth';
import { ApiProblems } from '@fibre/problems';
import { ResponseWithHeaders } from '@fibre/server';
import { Produces } from '@fibre/validation';
import { Controller, Get, Headers, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiNotModifiedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReadConditions } from '@fibre/dto';
import { MapTilePath, MapTileQuery } from './map-tile.requests.js';
import { MapTilesService } from './map-tiles.service.js';
import { VECTOR_TILE } from './vector-tile.js';

/** A map asks for the same tiles again when it is moved back. Another token may be another tenant's. */
const CACHED = { 'cache-control': 'private, max-age=30', vary: 'Authorization' };
const etag = { ETag: { description: 'Of these bytes, for If-None-Match.', schema: { type: 'string' as const } } };

const toAnswer = (tile: Buffer | undefined): ResponseWithHeaders<Buffer | undefined> =>
  tile === undefined
    ? new ResponseWithHeaders(undefined, CACHED, 204)
    : new ResponseWithHeaders(tile, {
        ...CACHED,
        'content-type': VECTOR_TILE,
        etag: `"${createHash('sha256').update(tile).digest('base64url')}"`,
      });

@Controller('v2/cov/tiles')
@ApiTags('Map')
export class MapTilesController {
  constructor(private readonly service: MapTilesService) {}

  @Get(':z/:x/:y.mvt')
  @Authorize('coverage:read')
  @Produces(VECTOR_TILE)
  @ApiOperation({
    summary: 'Read a map tile',
    description:
      'Your nodes as points of the layer `nodes` of a Mapbox vector tile 2.1 (4096 units a side, Web Mercator). Each has `node_id`, `token`, `technology` and ' +
      '`status`, unless the tile holds more than 2,000: then they are merged into cells, 32 a side, each a point in the middle of its nodes with their `count`. ' +
      'Where counting would mean to look at more than 25,000 nodes, the cells of many nodes are counted by a sample and say `estimated`. ' +
      'Every node is in one tile of a zoom level; those beyond 85.05 degrees north or south are in none.',
  })
  @ApiOkResponse({ description: 'The tile.', headers: etag, content: { [VECTOR_TILE]: { schema: { type: 'string', format: 'binary' } } } })
  @ApiNoContentResponse({ description: 'It has no nodes.' })
  @ApiNotModifiedResponse({ description: 'You have the current one.' })
  @ApiProblems({ 404: ['not-found'], 422: ['invalid-request'] })
  async readMapTile(
    @Tenant() tenant: string,
    @Param() tile: MapTilePath,
    @Query() query: MapTileQuery,
    @Headers() _conditions: ReadConditions,
  ): Promise<ResponseWithHeaders<Buffer | undefined>> {
    return toAnswer(await this.service.read(tenant, tile, query));
  }
}
