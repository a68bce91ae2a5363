import { Module } from '@nestjs/common';
import { RelationNodesController } from './relation-nodes.controller.js';
import { RelationNodesService } from './relation-nodes.service.js';

/** Merging and deleting all nodes of a relation. */
@Module({ controllers: [RelationNodesController], providers: [RelationNodesService] })
export class RelationNodesModule {}
