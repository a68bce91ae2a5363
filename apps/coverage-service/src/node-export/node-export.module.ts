import { type DynamicModule, Module } from '@nestjs/common';
import { EXPORT_MAX_SECONDS, NodeExportController } from './node-export.controller.js';
import { NodeExportRepository } from './node-export.repository.js';

/** Nodes as a file. */
@Module({})
export class NodeExportModule {
  static forRoot(maxSeconds: number): DynamicModule {
    return {
      module: NodeExportModule,
      controllers: [NodeExportController],
      providers: [NodeExportRepository, { provide: EXPORT_MAX_SECONDS, useValue: maxSeconds }],
    };
  }
}
