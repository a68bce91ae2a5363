import type pg from 'pg';
import type { PostgresOptions } from './data-source.js';
import { SideConnection } from './side-connection.js';

/** Asks the database whether it is there: requests that use up the pool do not count as an outage. */
export class SignOfLife {
  private readonly connection: SideConnection;
  private asked: Promise<unknown> | undefined;

  constructor({ url, applicationName, extra }: PostgresOptions) {
    this.connection = new SideConnection({ ...(extra as pg.PoolConfig), connectionString: url, application_name: applicationName });
  }

  /** Everybody who asks at once gets the same answer. */
  async ask(): Promise<void> {
    this.asked ??= this.connection.query('select').finally(() => (this.asked = undefined));
    await this.asked;
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}
