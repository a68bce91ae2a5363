import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessNode } from './access-node.entity.js';
import { AccessNodesController } from './access-nodes.controller.js';
import { AccessNodesRepository } from './access-nodes.repository.js';
import { AccessNodesService, RELATION_MODE, SERVICE_AREA } from './access-nodes.service.js';
import type { ServiceArea } from '../geography/service-area.js';
import type { RelationMode } from './registered-relations.js';

/** Both collections of access nodes: single nodes and the listing. */
@Module({})
export class AccessNodesModule {
  static forRoot(serviceArea: ServiceArea | undefined, relations: RelationMode): DynamicModule {
    return {
      module: AccessNodesModule,
      imports: [TypeOrmModule.forFeature([AccessNode])],
      controllers: [AccessNodesController],
      providers: [
        AccessNodesRepository,
        AccessNodesService,
        { provide: SERVICE_AREA, useValue: serviceArea },
        { provide: RELATION_MODE, useValue: relations },
      ],
    };
  }
}
