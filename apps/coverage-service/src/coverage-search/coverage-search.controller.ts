import { Authorize } from '@fibre/auth';
import { ResponseWithHeaders } from '@fibre/server';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OfferedNodeResponse } from '../access-nodes/access-node.response.js';
import { AddressPath, AddressSearchQuery, SearchQuery } from './coverage-search.requests.js';
import { searchResultJson, SearchResultResponse } from './coverage-search.response.js';
import { CoverageSearchService } from './coverage-search.service.js';

@Controller('v2/cov/search')
@ApiTags('Search')
export class CoverageSearchController {
  constructor(private readonly service: CoverageSearchService) {}

  @Get()
  @Authorize('coverage:search', { tenant: false })
  @ApiOperation({ summary: 'Search nodes', description: 'Production nodes of all operators around a coordinate, nearest first.' })
  @ApiOkResponse({ type: [SearchResultResponse], description: 'The nodes, nearest first; empty if there are none.' })
  async searchCoverage(@Query() query: SearchQuery): Promise<ResponseWithHeaders<string>> {
    const found = await this.service.search(query);
    return new ResponseWithHeaders(`[${found.map(searchResultJson).join(',')}]`);
  }

  @Get('addresses/:address_id')
  @Authorize('coverage:search', { tenant: false })
  @ApiOperation({
    summary: 'Search nodes at an address',
    description: 'Production nodes of all operators with exactly this `address_id`, ordered by `node_id`, at most 100.',
  })
  @ApiOkResponse({
    type: [OfferedNodeResponse],
    description: 'The nodes; empty if there are none.',
    headers: {
      'X-More': { description: '`true` if the address has more nodes than these; otherwise absent.', schema: { type: 'string' } },
    },
  })
  async searchAddress(@Param() path: AddressPath, @Query() query: AddressSearchQuery): Promise<ResponseWithHeaders<string>> {
    const { nodes, hasMore } = await this.service.searchAddress(path.address_id, query);
    return new ResponseWithHeaders(`[${nodes.join(',')}]`, hasMore ? { 'x-more': 'true' } : {});
  }
}
