import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Closing } from './closing.entity.js';
import { ClosingsController } from './closings.controller.js';
import { ClosingsRepository } from './closings.repository.js';
import { ClosingsService } from './closings.service.js';

/** Closings: what was invoiced, and as recorded until when. */
@Module({
  imports: [TypeOrmModule.forFeature([Closing])],
  controllers: [ClosingsController],
  providers: [ClosingsRepository, ClosingsService],
  exports: [ClosingsRepository],
})
export class ClosingsModule {}
