import { Module } from '@nestjs/common';
import { NodeExportController } from './node-export.controller.js';
import { NodeExportRepository } from './node-export.repository.js';

/** Nodes as a file. */
@Module({ controllers: [NodeExportController], providers: [NodeExportRepository] })
export class NodeExportModule {}
