import { Module } from '@nestjs/common';
import { NodeExportController } from './node-export.controller.js';

/** Export of nodes to a file. */
@Module({ controllers: [NodeExportController] })
export class NodeExportModule {}
