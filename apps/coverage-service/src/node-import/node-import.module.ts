import { Module } from '@nestjs/common';
import { SpoolModule } from '../import-files/spool.js';
import { NodeImportController } from './node-import.controller.js';
import { NodeImportService } from './node-import.service.js';

/** Import of nodes from a file. */
@Module({ imports: [SpoolModule], controllers: [NodeImportController], providers: [NodeImportService] })
export class NodeImportModule {}
