import { join } from 'node:path';
import { type Level } from 'pino';
import { type DevIssuer, startDevIssuer } from '../dev-issuer/dev-issuer.js';
import { DATA_DIR, HOST, ISSUER_PORT } from '../workspace.js';
import { assertFreePorts } from './free-ports.js';
import { readableLog } from './readable-log.js';
import { ServiceProcess } from './service-process.js';
import { type Service, databaseRoot, presentServices, serviceProcess } from './services.js';

export interface StackOptions {
  /** Takes a line for the person in front of the screen. */
  print: (line: string) => void;
  /** The least severe log lines of the services that are printed; warnings when absent. */
  logsFrom?: Level;
  /** Gives up starting when it aborts. */
  signal: AbortSignal;
}

/** The issuer and every service of this checkout, running. */
export class Stack {
  readonly services: readonly Service[] = presentServices();
  private issuer: DevIssuer | undefined;
  private processes: ServiceProcess[] = [];

  constructor(private readonly options: StackOptions) {}

  get issuerUrl(): string {
    return `http://${HOST}:${ISSUER_PORT}`;
  }

  /** Settles when everything is ready. When it rejects, `stop` still has to be called. */
  async start(): Promise<void> {
    const { print, signal } = this.options;
    await assertFreePorts(HOST, new Map([['the issuer', ISSUER_PORT], ...this.services.map(({ name, port }) => [name, port] as const)]));
    this.issuer = await startDevIssuer({ host: HOST, port: ISSUER_PORT, dataDir: join(DATA_DIR, 'issuer') });
    signal.throwIfAborted();
    this.processes = this.services.map((service) => this.spawn(service));
    print(`Starting ${this.processes.map(({ name }) => name).join(' and ')} ...`);
    await Promise.all(this.processes.map((process) => this.withLastLines(process, process.ready(signal))));
  }

  /** Rejects when a service dies; never resolves. */
  async failure(): Promise<never> {
    const dead = await Promise.race(this.processes.map(async (process) => ({ process, reason: await process.gone })));
    return this.withLastLines(dead.process, Promise.reject(new Error(`${dead.process.name} ${dead.reason}`)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
    await this.issuer?.close();
    if (!this.processes.every(({ endedWell }) => endedWell)) await this.stopDatabases();
  }

  /** A service that was killed leaves its database server behind. */
  private async stopDatabases(): Promise<void> {
    const { stopEmbeddedPostgres } = await import('@fibre/embedded-postgres');
    await Promise.all(this.services.map((service) => stopEmbeddedPostgres(databaseRoot(service))));
  }

  private spawn(service: Service): ServiceProcess {
    const { print, logsFrom } = this.options;
    return new ServiceProcess(serviceProcess(service, this.issuerUrl), (line) => {
      const readable = readableLog(line, logsFrom);
      if (readable !== undefined) print(`${service.name} | ${readable}`);
    });
  }

  private async withLastLines<T>(process: ServiceProcess, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (this.options.signal.aborted) throw error;
      throw new Error(`${(error as Error).message}. ${this.lastWords(process)}`, { cause: error });
    }
  }

  private lastWords({ lastLines }: ServiceProcess): string {
    if (lastLines.length === 0) return 'It printed nothing.';
    if (lastLines.every((line) => readableLog(line, this.options.logsFrom) !== undefined)) return 'Its last lines are above.';
    return ['Its last lines:', ...lastLines.map((line) => `  ${readableLog(line, 'trace')}`)].join('\n');
  }
}
