import { unavailable } from '@fibre/problems';
import { Public } from '@fibre/auth';
import { Database } from '@fibre/database';
import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService, type HealthCheckResult, type HealthIndicatorResult } from '@nestjs/terminus';
import { Lifecycle } from '../http/lifecycle.js';

/** Probes for the platform. Never routed by the ingress. */
@Controller('health')
@Public(true)
@ApiExcludeController()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly database: Database,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** The process answers; nothing else is asked, for a restart would not mend it. */
  @Get('live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  /** New requests are welcome: not shutting down, and the database answers. */
  @Get('ready')
  ready(): Promise<HealthCheckResult> {
    return this.health.check([() => this.lifecycleCheck(), () => this.databaseCheck()]).catch((error: unknown) => {
      throw error instanceof ServiceUnavailableException ? unavailable('The service is not ready.', error.getResponse()) : error;
    });
  }

  private lifecycleCheck(): HealthIndicatorResult {
    const indicator = this.indicators.check('lifecycle');
    return this.lifecycle.draining ? indicator.down('shutting down') : indicator.up();
  }

  private async databaseCheck(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('database');
    return this.database.ping().then(
      () => indicator.up(),
      () => indicator.down('not reachable'),
    );
  }
}
