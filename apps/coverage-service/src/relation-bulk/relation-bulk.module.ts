import { Module } from '@nestjs/common';
import { RelationBulkController } from './relation-bulk.controller.js';
import { RelationBulkRepository } from './relation-bulk.repository.js';
import { RelationBulkService } from './relation-bulk.service.js';

/** All nodes of a relation at once: merge and delete. */
@Module({ controllers: [RelationBulkController], providers: [RelationBulkRepository, RelationBulkService] })
export class RelationBulkModule {}
