import { Module } from '@nestjs/common';
import { CoverageSearchModule } from '../coverage-search/coverage-search.module.js';
import { PlaceSearchController } from './place-search.controller.js';
import { PlaceSearchService } from './place-search.service.js';

/** The search around each place in a file. */
@Module({ imports: [CoverageSearchModule], controllers: [PlaceSearchController], providers: [PlaceSearchService] })
export class PlaceSearchModule {}
