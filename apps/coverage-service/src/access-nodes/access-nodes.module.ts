import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessNode } from './access-node.entity.js';
import { AccessNodesController } from './access-nodes.controller.js';
import { AccessNodesRepository } from './access-nodes.repository.js';
import { AccessNodesService } from './access-nodes.service.js';

/** Both collections of access nodes: single nodes and the listing. */
@Module({
  imports: [TypeOrmModule.forFeature([AccessNode])],
  controllers: [AccessNodesController],
  providers: [AccessNodesRepository, AccessNodesService],
})
export class AccessNodesModule {}
