import { Module } from '@nestjs/common';
import { MapTilesController } from './map-tiles.controller.js';
import { MapTilesService } from './map-tiles.service.js';

/** A tenant's nodes as vector tiles, for maps. */
@Module({ controllers: [MapTilesController], providers: [MapTilesService] })
export class MapTilesModule {}
