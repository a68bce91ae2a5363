import pg from 'pg';
import { Deadline } from './deadline.js';

/** Milliseconds to connect, and again for the answer. */
export const ANSWER_WITHIN_MS = 2_000;

/**
 * One connection beside a pool: requests that use up the pool do not keep a question waiting, and no request takes the answer with it
 * when its deadline ends it.
 */
export class SideConnection {
  private readonly pool: pg.Pool;

  constructor(config: pg.PoolConfig) {
    const limits = { max: 1, connectionTimeoutMillis: ANSWER_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS };
    this.pool = new pg.Pool({ ...config, ...limits, allowExitOnIdle: true });
    // The next question finds out.
    this.pool.on('error', () => undefined);
  }

  query<Row extends object>(text: string): Promise<Row[]> {
    return Deadline.outside(async () => {
      const client = await this.pool.connect();
      let failure: Error | undefined;
      try {
        return (await client.query<Row>(text)).rows;
      } catch (error) {
        failure = error as Error;
        throw error;
      } finally {
        client.release(failure);
      }
    });
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
