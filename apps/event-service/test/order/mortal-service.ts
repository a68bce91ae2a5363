import { mkdirSync } from 'node:fs';
import { temporaryRoot } from '@fibre/embedded-postgres';
import { freePort, MortalPostgres, type ServiceProcess, startServiceProcess } from '@fibre/testing';

/** The service and its database as separate processes that a test can kill without warning. */
export class MortalService {
  private service!: ServiceProcess;
  private database!: MortalPostgres;
  private port!: number;

  constructor(private readonly issuer: string) {}

  get url(): string {
    return this.service.url;
  }

  async start(): Promise<void> {
    const root = await temporaryRoot();
    mkdirSync(root, { mode: 0o755 });
    [this.database, this.port] = await Promise.all([MortalPostgres.start(root, {}), freePort()]);
    await this.database.createDatabase('events');
    await this.startService();
  }

  /** Kills the service while it works, and restarts it. */
  async killService(): Promise<void> {
    await this.service.kill();
    await this.startService();
  }

  /** Kills the database while it works, and restarts it; the service must reconnect on its own. */
  async killDatabase(): Promise<void> {
    await this.database.kill();
    await this.database.start();
  }

  async stop(): Promise<void> {
    await this.service.kill();
    await this.database.remove();
  }

  private async startService(): Promise<void> {
    const settings = { DATABASE_URL: this.database.url('events'), OAUTH_ISSUER: this.issuer, LOG_LEVEL: 'fatal' };
    this.service = await startServiceProcess('event-service', settings, this.port);
  }
}
