import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Isp } from './isp.entity.js';
import { ISPS_MODE, type IspsMode } from './isp.js';
import { IspsController } from './isps.controller.js';
import { IspsRepository } from './isps.repository.js';
import { IspsService } from './isps.service.js';

/** The registry of internet service providers, and whether activations may name others. */
@Module({})
export class IspsModule {
  static forRoot(mode: IspsMode): DynamicModule {
    return {
      module: IspsModule,
      global: true,
      imports: [TypeOrmModule.forFeature([Isp])],
      controllers: [IspsController],
      providers: [IspsRepository, IspsService, { provide: ISPS_MODE, useValue: mode }],
      exports: [IspsRepository, ISPS_MODE],
    };
  }
}
