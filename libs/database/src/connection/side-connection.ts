import pg from 'pg';

/** Milliseconds to connect, and again for the answer. */
const ANSWER_WITHIN_MS = 2_000;

/** One connection beside a pool, for small questions about the server: requests that use up the pool do not hold them up. */
export class SideConnection {
  private readonly pool: pg.Pool;

  constructor(config: pg.PoolConfig) {
    const limits = { max: 1, connectionTimeoutMillis: ANSWER_WITHIN_MS, Client: pg.Client };
    this.pool = new pg.Pool({ ...config, ...limits, allowExitOnIdle: true });
    // The next question finds out.
    this.pool.on('error', () => undefined);
  }

  async query<Row extends object>(text: string): Promise<Row[]> {
    // Here and not among the limits of the connection, which the query part of a URL overrules.
    const statement = { text, query_timeout: ANSWER_WITHIN_MS };
    return (await this.pool.query<Row>(statement)).rows;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
