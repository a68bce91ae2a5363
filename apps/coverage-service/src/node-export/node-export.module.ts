import { Module } from '@nestjs/common';
import { NodeExportController } from './node-export.controller.js';
import { SearchExportController } from './search-export.controller.js';

/** Export of nodes to a file: the tenant's own, and those of all tenants for ISPs. */
@Module({ controllers: [NodeExportController, SearchExportController] })
export class NodeExportModule {}
