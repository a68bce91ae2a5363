import { Module } from '@nestjs/common';
import { MapTilesController } from './map-tiles.controller.js';
import { MapTilesRepository } from './map-tiles.repository.js';
import { MapTilesService } from './map-tiles.service.js';

/** A tenant's nodes as vector tiles, for maps. */
@Module({ controllers: [MapTilesController], providers: [MapTilesRepository, MapTilesService] })
export class MapTilesModule {}
