import { type DynamicModule, Module } from '@nestjs/common';
import { RELATION_MODE, SERVICE_AREA } from '../access-nodes/access-nodes.service.js';
import type { ServiceArea } from '../geography/service-area.js';
import type { RelationMode } from '../access-nodes/registered-relations.js';
import { NodeImportController } from './node-import.controller.js';
import { NodeImportRepository } from './node-import.repository.js';
import { IMPORT_MAX_BYTES, NodeImportService } from './node-import.service.js';

interface ImportSettings {
  readonly serviceArea: ServiceArea | undefined;
  readonly relations: RelationMode;
  readonly maxBytes: number;
}

/** Import of nodes from a file. */
@Module({})
export class NodeImportModule {
  static forRoot({ serviceArea, relations, maxBytes }: ImportSettings): DynamicModule {
    return {
      module: NodeImportModule,
      controllers: [NodeImportController],
      providers: [
        NodeImportRepository,
        NodeImportService,
        { provide: SERVICE_AREA, useValue: serviceArea },
        { provide: RELATION_MODE, useValue: relations },
        { provide: IMPORT_MAX_BYTES, useValue: maxBytes },
      ],
    };
  }
}
