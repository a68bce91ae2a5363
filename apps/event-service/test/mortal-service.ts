import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedPostgres, startTemporaryPostgres } from '@fibre/embedded-postgres';
import { freePort, type ServiceProcess, startServiceProcess } from '@fibre/testing';

/** The service and its database as processes of their own, to be killed without warning. */
export class MortalService {
  private service!: ServiceProcess;
  private database!: EmbeddedPostgres;
  private port!: number;

  constructor(private readonly issuer: string) {}

  get url(): string {
    return this.service.url;
  }

  async start(): Promise<void> {
    [this.database, this.port] = await Promise.all([startTemporaryPostgres({ database: 'events' }), freePort()]);
    await this.startService();
  }

  /** Kills the service in the middle of whatever it does, and starts it again. */
  async killService(): Promise<void> {
    await this.service.kill();
    await this.startService();
  }

  /** Kills the database in the middle of whatever it does. It is started again, and the service has to find it on its own. */
  killDatabase(): void {
    process.kill(Number(readFileSync(join(this.database.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  }

  async stop(): Promise<void> {
    await this.service.kill();
    await this.database.stop();
  }

  private async startService(): Promise<void> {
    const settings = { DATABASE_URL: this.database.url, OAUTH_ISSUER: this.issuer, LOG_LEVEL: 'fatal' };
    this.service = await startServiceProcess('event-service', settings, this.port);
  }
}
