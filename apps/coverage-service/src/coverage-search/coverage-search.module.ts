import { Module } from '@nestjs/common';
import { CoverageSearchController } from './coverage-search.controller.js';
import { CoverageSearchRepository } from './coverage-search.repository.js';
import { CoverageSearchService } from './coverage-search.service.js';

/** The search that ISPs use: the nearest production nodes around a coordinate. */
@Module({
  controllers: [CoverageSearchController],
  providers: [CoverageSearchRepository, CoverageSearchService],
  exports: [CoverageSearchService],
})
export class CoverageSearchModule {}
