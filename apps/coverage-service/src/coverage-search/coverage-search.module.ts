import { type DynamicModule, Module } from '@nestjs/common';
import { CoverageSearchController } from './coverage-search.controller.js';
import { CoverageSearchRepository } from './coverage-search.repository.js';
import { CoverageSearchService, QUALITY_TABLE } from './coverage-search.service.js';
import type { QualityTable } from './quality.js';

/** The search for ISPs: the nearest production nodes around a coordinate. */
@Module({})
export class CoverageSearchModule {
  static forRoot(qualityTable: QualityTable): DynamicModule {
    return {
      module: CoverageSearchModule,
      controllers: [CoverageSearchController],
      providers: [CoverageSearchRepository, CoverageSearchService, { provide: QUALITY_TABLE, useValue: qualityTable }],
      exports: [CoverageSearchService],
    };
  }
}
