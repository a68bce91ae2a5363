import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres, stopEmbeddedPostgres } from '@fibre/embedded-postgres';
import { startTcpRelay, type TcpRelay } from './tcp-relay.js';

const READY_WITHIN_MS = 60_000;
const POLL_MS = 50;

/** The service and its database as processes of their own, to be killed without warning and started again. */
export class MortalService {
  private service?: ChildProcess;
  private database?: EmbeddedPostgres;
  private relay?: TcpRelay;
  private port = 0;
  private readonly root = mkdtempSync(join(tmpdir(), 'open-access-fibre-crash-'));

  constructor(private readonly issuer: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    await this.startDatabase();
    this.port = await freePort();
    await this.startService();
  }

  /** Kills the service in the middle of whatever it does. */
  async killService(): Promise<void> {
    const service = this.service!;
    service.kill('SIGKILL');
    if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
    await this.startService();
  }

  /** Kills the database in the middle of whatever it does; the service has to find it again on its own. */
  async killDatabase(): Promise<void> {
    const pid = Number(readFileSync(join(this.database!.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    await this.startDatabase();
  }

  async stop(): Promise<void> {
    this.service?.kill('SIGKILL');
    await this.relay?.close();
    // Whoever of its many starters is taken for its user.
    await stopEmbeddedPostgres(this.root);
    for (const directory of [this.database?.dataDir, this.root]) if (directory) rmSync(directory, { recursive: true, force: true });
  }

  private async startDatabase(): Promise<void> {
    this.database = await startEmbeddedPostgres({ root: this.root, database: 'events' });
    this.relay ??= await startTcpRelay(this.database.port);
    this.relay.target = this.database.port;
  }

  private async startService(): Promise<void> {
    const databaseUrl = new URL(this.database!.url);
    databaseUrl.port = String(this.relay!.port);
    this.service = spawn(process.execPath, ['--conditions=source', '--import', '@swc-node/register/esm-register', 'src/main.ts'], {
      cwd: join(import.meta.dirname, '..'),
      env: {
        PATH: process.env.PATH,
        PORT: String(this.port),
        DATABASE_URL: databaseUrl.href,
        OAUTH_ISSUER: this.issuer,
        LOG_LEVEL: 'fatal',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (const end = Date.now() + READY_WITHIN_MS; !(await isReady(this.url)); await sleep(POLL_MS)) {
      if (this.service.exitCode !== null || Date.now() > end) throw new Error('the service does not start');
    }
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
