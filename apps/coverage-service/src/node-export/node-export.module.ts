import { Module } from '@nestjs/common';
import { NodeExportController } from './node-export.controller.js';

/** Nodes as a file. */
@Module({ controllers: [NodeExportController] })
export class NodeExportModule {}
