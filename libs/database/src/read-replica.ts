import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { connectionLimits, type DataSourceSettings } from './data-source.js';
import { DeadlinePool } from './deadline-pool.js';
import { isConnectionRejected, isDatabaseUnavailable, SERIALIZATION_FAILURE, sqlState } from './database-errors.js';

/** Milliseconds that a replica which failed is left alone, so that not every read waits for it to fail again. */
const REST_MS = 10_000;

/**
 * A streaming replica that answers reads. It is never needed: nothing waits for it at the start, and while it does not
 * answer the primary does.
 *
 * Not by TypeORM's `replication`, which does not start without its replicas and has no way back to the primary.
 */
export class ReadReplica {
  /** Connects when it is first used. */
  readonly pool: Pool;
  private readonly logger = new Logger('Database');
  private restsUntil = 0;

  constructor(url: string, settings: DataSourceSettings) {
    this.pool = new DeadlinePool({
      connectionString: url,
      max: settings.poolSize,
      application_name: settings.applicationName,
      ...connectionLimits(settings),
    });
    this.pool.on('error', (error) => this.logger.warn(`an idle connection to the read replica was lost: ${error.message}`));
  }

  get isUsable(): boolean {
    return Date.now() >= this.restsUntil;
  }

  /** Whether an error says that the replica cannot answer, and the primary has to; a lost replica is then left alone for a while. */
  isAtFault(error: unknown): boolean {
    // A replica gives up a statement that stands in the way of what it has to replay.
    if (sqlState(error) === SERIALIZATION_FAILURE) return true;
    if (!isDatabaseUnavailable(error) && !isConnectionRejected(error)) return false;
    if (this.isUsable)
      this.logger.warn(`the read replica does not answer, the primary does: ${error instanceof Error ? error.message : String(error)}`);
    this.restsUntil = Date.now() + REST_MS;
    return true;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
