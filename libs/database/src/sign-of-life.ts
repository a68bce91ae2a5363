import pg from 'pg';
import type { PostgresOptions } from './data-source.js';

/** Milliseconds to connect, and again for the answer. */
const ANSWER_WITHIN_MS = 2_000;

/** Asks the database whether it is there, over one connection of its own: requests that use up the pool do not count as an outage. */
export class SignOfLife {
  private readonly pool: pg.Pool;
  private asked: Promise<void> | undefined;

  constructor({ url, applicationName, extra }: PostgresOptions) {
    this.pool = new pg.Pool({
      ...(extra as pg.PoolConfig),
      connectionString: url,
      application_name: applicationName,
      max: 1,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      allowExitOnIdle: true,
    });
    // The next question finds out.
    this.pool.on('error', () => undefined);
  }

  /** Everybody who asks at once gets the same answer. */
  ask(): Promise<void> {
    this.asked ??= this.query().finally(() => (this.asked = undefined));
    return this.asked;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async query(): Promise<void> {
    const client = await this.pool.connect();
    let failure: Error | undefined;
    try {
      await client.query('select');
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }
}
