import pg from 'pg';

/** Milliseconds to wait for the connection, and then for the response. */
const TIMEOUT_MS = 2_000;

/** One connection outside the pool for short queries about the server, so that a full pool does not delay them. */
export class SideConnection {
  private readonly pool: pg.Pool;

  constructor(config: pg.PoolConfig) {
    const limits = { max: 1, connectionTimeoutMillis: TIMEOUT_MS, Client: pg.Client };
    this.pool = new pg.Pool({ ...config, ...limits, allowExitOnIdle: true });
    // The next query notices the lost connection.
    this.pool.on('error', () => undefined);
  }

  async query<Row extends object>(text: string): Promise<Row[]> {
    // Not a connection setting, because the query part of the URL would override it.
    const statement = { text, query_timeout: TIMEOUT_MS };
    return (await this.pool.query<Row>(statement)).rows;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
