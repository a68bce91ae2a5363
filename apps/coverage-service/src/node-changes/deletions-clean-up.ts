import { Database } from '@fibre/database';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import { FORGOTTEN_AT_ONCE, forgetDeletions } from './node-changes.sql.js';

const INTERVAL_MS = 10 * 60 * 1_000;

/** Removes old deletions in small steps, on every replica. */
@Injectable()
export class DeletionsCleanUp implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeletionsCleanUp.name);
  private timer?: NodeJS.Timeout;
  private closing = false;

  constructor(
    private readonly database: Database,
    @Inject(COVERAGE_ENV) private readonly env: CoverageEnv,
  ) {}

  onApplicationBootstrap(): void {
    // After a failure, the next run on any replica continues.
    const run = () => this.run().catch((error: unknown) => this.logger.warn({ err: error }, 'removing old deletions failed'));
    this.timer = setInterval(() => void run(), INTERVAL_MS).unref();
  }

  async run(): Promise<void> {
    while (!this.closing && (await this.database.run(forgetDeletions(this.env.CHANGES_RETENTION_DAYS))).length === FORGOTTEN_AT_ONCE);
  }

  /** Runs before the pool closes. */
  onModuleDestroy(): void {
    this.closing = true;
    clearInterval(this.timer);
  }
}
