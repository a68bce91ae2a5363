import { Authorize } from '@fibre/auth';
import { Costs, ResponseWithHeaders } from '@fibre/server';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OfferedNodeResponse } from '../access-nodes/access-node.response.js';
import { AddressPath, AddressSearchQuery, SearchQuery, WordSearchQuery } from './coverage-search.requests.js';
import { searchResultJson, SearchResultResponse } from './coverage-search.response.js';
import { CoverageSearchService } from './coverage-search.service.js';

const MORE = { 'x-more': 'true' };

@Controller('v2/cov/search')
@ApiTags('Search')
export class CoverageSearchController {
  constructor(private readonly service: CoverageSearchService) {}

  @Get()
  @Authorize('coverage:search', { tenant: false })
  @Costs()
  @ApiOperation({ summary: 'Search nodes', description: 'Production nodes of all operators around a coordinate, nearest first.' })
  @ApiOkResponse({ type: [SearchResultResponse], description: 'The nodes, nearest first; empty if there are none.' })
  async searchCoverage(@Query() query: SearchQuery): Promise<ResponseWithHeaders<string>> {
    const found = await this.service.search(query);
    return new ResponseWithHeaders(`[${found.map(searchResultJson).join(',')}]`);
  }

  @Get('addresses')
  @Authorize('coverage:search', { tenant: false })
  @Costs()
  @ApiOperation({
    summary: 'Search nodes by the words of their address',
    description:
      'Up to ten production nodes of all operators whose `address` has all these words: first those with the words as they are, then those with words that begin ' +
      'so; the shorter address first. Capitals, marks and punctuation are ignored, ß is ss, and ae, oe and ue are a, o and u. A number must be equal, unless it is the last word. Spelling is not corrected.',
  })
  @ApiOkResponse({
    type: [OfferedNodeResponse],
    description: 'The nodes, best first; empty if there are none.',
    headers: {
      'X-More': {
        description: '`true` if there may be more nodes than these, or better ones, which one more word would find; otherwise absent.',
        schema: { type: 'string' },
      },
    },
  })
  async searchAddresses(@Query() query: WordSearchQuery): Promise<ResponseWithHeaders<string>> {
    const { nodes, hasMore } = await this.service.searchByWords(query);
    return new ResponseWithHeaders(`[${nodes.join(',')}]`, hasMore ? MORE : {});
  }

  @Get('addresses/:address_id')
  @Authorize('coverage:search', { tenant: false })
  @Costs()
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
    return new ResponseWithHeaders(`[${nodes.join(',')}]`, hasMore ? MORE : {});
  }
}
