import { Public } from '@fibre/auth';
import { Produces } from '@fibre/validation';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Registry } from 'prom-client';

/** Metrics in the Prometheus text format. The ingress routes no requests to them. */
@Controller('metrics')
@Public(true)
@ApiExcludeController()
export class MetricsController {
  constructor(private readonly registry: Registry) {}

  @Get()
  @Produces('text/plain')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    return this.registry.metrics();
  }
}
