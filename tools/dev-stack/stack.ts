import { join } from 'node:path';
import { type ServiceProcess } from '@fibre/testing/processes';
import { type DevIssuer, startDevIssuer } from '../dev-issuer/dev-issuer.js';
import { DATA_DIR, HOST, ISSUER_PORT } from '../workspace.js';
import { assertFreePorts } from './free-ports.js';
import { readableLog } from './readable-log.js';
import { buildPortal } from './portal.js';
import { databaseRoot, SERVICES, startService } from './services.js';

const STOP_WITHIN_MS = 15_000;

export interface StackOptions {
  /** Takes a line for the person in front of the screen. */
  print: (line: string) => void;
  /** Gives up starting when it aborts. */
  signal: AbortSignal;
}

/** The issuer and every service, running. */
export class Stack {
  readonly issuerUrl = `http://${HOST}:${ISSUER_PORT}`;
  private issuer: DevIssuer | undefined;
  private processes: ServiceProcess[] = [];

  constructor(private readonly options: StackOptions) {}

  /** Settles when everything is ready. When it rejects, `stop` still has to be called. */
  async start(): Promise<void> {
    const { print, signal } = this.options;
    await assertFreePorts([{ name: 'the issuer', port: ISSUER_PORT, variable: 'ISSUER_PORT' }, ...SERVICES]);
    this.issuer = await startDevIssuer({ host: HOST, port: ISSUER_PORT, dataDir: join(DATA_DIR, 'issuer') });
    signal.throwIfAborted();
    print(`Starting ${SERVICES.map(({ name }) => name).join(' and ')} ...`);
    this.processes = SERVICES.map((service) =>
      startService(service, this.issuerUrl, {
        detached: process.platform !== 'win32', // Ctrl-C reaches this process alone, which then stops the services in order
        stopWithinMs: STOP_WITHIN_MS,
        onLine: (line) => print(`${service.name} | ${readableLog(line)}`),
      }),
    );
    // Beside the start of the services, which need it only when somebody asks for it.
    const portal = buildPortal(print);
    await Promise.all(this.processes.map((process) => process.ready(signal).catch((error: Error) => this.fail(process, error))));
    await portal;
  }

  /** Rejects when a service dies; never resolves. */
  async failure(): Promise<never> {
    const dead = await Promise.race(this.processes.map((process) => process.gone.then((reason) => ({ process, reason }))));
    return this.fail(dead.process, new Error(`${dead.process.name} ${dead.reason}`));
  }

  async stop(): Promise<void> {
    const exitCodes = await Promise.all(this.processes.map((process) => process.stop()));
    await this.issuer?.close();
    if (!exitCodes.every((code) => code === 0)) await this.stopDatabases();
  }

  /** A service that was killed leaves its database server behind. */
  private async stopDatabases(): Promise<void> {
    const { stopEmbeddedPostgres } = await import('@fibre/embedded-postgres');
    await Promise.all(SERVICES.map((service) => stopEmbeddedPostgres(databaseRoot(service))));
  }

  private fail({ lines }: ServiceProcess, error: Error): never {
    if (this.options.signal.aborted) throw error;
    const lastWords = lines.length === 0 ? 'It printed nothing.' : 'Its last lines are above.';
    throw new Error(`${error.message}. ${lastWords}`, { cause: error });
  }
}
