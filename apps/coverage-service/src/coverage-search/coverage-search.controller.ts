import { Authorize } from '@fibre/auth';
import { ApiProblems } from '@fibre/problems';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CoverageSearchRepository } from './coverage-search.repository.js';
import { SearchQuery } from './coverage-search.requests.js';
import { SearchResultResponse, toSearchResultResponse } from './coverage-search.response.js';
import type { QualityTable } from './quality.js';
import { originAt } from '../geography/search-area.js';

export const QUALITY_TABLE = Symbol('QUALITY_TABLE');

@Controller('v2/cov/search')
@ApiTags('Search')
export class CoverageSearchController {
  constructor(
    private readonly repository: CoverageSearchRepository,
    @Inject(QUALITY_TABLE) private readonly qualityTable: QualityTable,
  ) {}

  @Get()
  @Authorize('coverage:search', { tenant: false })
  @ApiOperation({
    summary: 'Search nodes',
    description: 'The nearest production nodes of every operator around a coordinate, nearest first.',
  })
  @ApiOkResponse({ type: [SearchResultResponse], description: 'The nodes, nearest first; empty when there is none.' })
  @ApiProblems({ 422: ['invalid-request'] })
  async searchCoverage(@Query() query: SearchQuery): Promise<SearchResultResponse[]> {
    const { latitude, longitude } = query.center;
    const hits = await this.repository.search(originAt(Number(latitude), Number(longitude)), query.search_radius, query.limit, query);
    return hits.map((hit) => toSearchResultResponse(hit, this.qualityTable));
  }
}
