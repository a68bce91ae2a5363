import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Relation } from './relation.entity.js';
import { RelationsController } from './relations.controller.js';
import { RelationsRepository } from './relations.repository.js';
import { RelationsService } from './relations.service.js';

/** The ANO-PIP relations that tenants create. */
@Module({
  imports: [TypeOrmModule.forFeature([Relation])],
  controllers: [RelationsController],
  providers: [RelationsRepository, RelationsService],
})
export class RelationsModule {}
