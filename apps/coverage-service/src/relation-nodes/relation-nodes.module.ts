import { Module } from '@nestjs/common';
import { RelationNodesController } from './relation-nodes.controller.js';
import { RelationNodesRepository } from './relation-nodes.repository.js';
import { RelationNodesService } from './relation-nodes.service.js';

/** All nodes of a relation at once: merge and delete. */
@Module({ controllers: [RelationNodesController], providers: [RelationNodesRepository, RelationNodesService] })
export class RelationNodesModule {}
