import { createHash } from 'node:crypto';
import { Authorize, Tenant } from '@fibre/auth';
import { ApiProblems } from '@fibre/problems';
import { Costs, ResponseWithHeaders } from '@fibre/server';
import { Produces } from '@fibre/validation';
import { Controller, Get, Headers, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiNotModifiedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReadConditions } from '@fibre/dto';
import { MapTilePath, MapTileQuery } from './map-tile.requests.js';
import { MapTilesService } from './map-tiles.service.js';
import { VECTOR_TILE } from './vector-tile.js';

/** A map requests the same tiles again when the user moves it back. `vary` is needed because another token may belong to another tenant. */
const CACHED = { 'cache-control': 'private, max-age=30', vary: 'Authorization' };
const etag = { ETag: { description: 'Version of the tile, for If-None-Match.', schema: { type: 'string' as const } } };

const toTileResponse = (tile: Buffer | undefined): ResponseWithHeaders<Buffer | undefined> =>
  tile === undefined
    ? new ResponseWithHeaders(undefined, CACHED, 204)
    : new ResponseWithHeaders(tile, {
        ...CACHED,
        'content-type': VECTOR_TILE,
        etag: `"${createHash('sha256').update(tile).digest('base64url')}"`,
      });

@Controller('v2/cov/tiles')
@ApiTags('Map tiles')
export class MapTilesController {
  constructor(private readonly service: MapTilesService) {}

  @Get(':z/:x/:y.mvt')
  @Authorize('coverage:read')
  @Costs({ limits: ['map tiles'] })
  @Produces(VECTOR_TILE)
  @ApiOperation({
    summary: 'Read a map tile',
    description:
      'Your nodes as points in the layer `nodes` of a Mapbox vector tile 2.1 (extent 4096, Web Mercator). Each has `node_id`, `token`, `status` and, ' +
      'where they are set, `technology`, `available_from`, `units`, `units_connected`, `download_mbps` and `upload_mbps`. If the tile has more than 2,000 nodes, they are grouped into 16 x 16 cells. A cell is a point in the middle of its nodes with their ' +
      '`count` and how many are `planned`, in `construction` and in `operation`; a cell with one node is that node. The layer `cells` always has the ' +
      'cells, for a map that shows either cells or single nodes in all of its tiles. ' +
      'Above 25,000 nodes, the counts of large cells are estimated from a sample and marked `estimated`. ' +
      'Every node is in one tile per zoom level, except nodes beyond 85.05 degrees north or south, which are in none.',
  })
  @ApiOkResponse({ description: 'The tile.', headers: etag, content: { [VECTOR_TILE]: { schema: { type: 'string', format: 'binary' } } } })
  @ApiNoContentResponse({ description: 'The tile has no nodes.' })
  @ApiNotModifiedResponse({ description: 'You have the current version.' })
  @ApiProblems({ 404: ['not-found'] })
  async readMapTile(
    @Tenant() tenant: string,
    @Param() tile: MapTilePath,
    @Query() query: MapTileQuery,
    @Headers() _conditions: ReadConditions,
  ): Promise<ResponseWithHeaders<Buffer | undefined>> {
    return toTileResponse(await this.service.read(tenant, tile, query));
  }
}
