import { Module } from '@nestjs/common';
import { ImportsCleanUp } from '../finished-imports/imports-clean-up.js';
import { NodeImportController } from './node-import.controller.js';
import { NodeImportService } from './node-import.service.js';

/** Import of nodes from a file. */
@Module({ controllers: [NodeImportController], providers: [NodeImportService, ImportsCleanUp] })
export class NodeImportModule {}
