import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Isp } from './isp.entity.js';
import { IspsController } from './isps.controller.js';
import { IspsRepository } from './isps.repository.js';
import { IspsService } from './isps.service.js';

/** The registry of internet service providers. */
@Module({
  imports: [TypeOrmModule.forFeature([Isp])],
  controllers: [IspsController],
  providers: [IspsRepository, IspsService],
  exports: [IspsRepository],
})
export class IspsModule {}
