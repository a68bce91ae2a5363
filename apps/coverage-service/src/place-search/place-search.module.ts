import { type DynamicModule, Module } from '@nestjs/common';
import { PlaceSearchController } from './place-search.controller.js';
import { PLACE_LIMITS, type PlaceLimits, PlaceSearchService } from './place-search.service.js';

/** The search around each place of a file. */
@Module({})
export class PlaceSearchModule {
  /** @param search the module of the single search */
  static forRoot(limits: PlaceLimits, search: DynamicModule): DynamicModule {
    return {
      module: PlaceSearchModule,
      imports: [search],
      controllers: [PlaceSearchController],
      providers: [PlaceSearchService, { provide: PLACE_LIMITS, useValue: limits }],
    };
  }
}
