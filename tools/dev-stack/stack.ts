import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServiceProcess } from '@fibre/testing/processes';
import getPort from 'get-port';
import pretty from 'pino-pretty';
import { type DevIssuer, startDevIssuer } from '../dev-issuer/dev-issuer.js';
import { AUDIENCE } from '../dev-issuer/provider-configuration.js';
import type { Sandbox } from './sandbox.js';
import { COVERAGE_PORT, DATA_DIR, EVENT_PORT, HOST, ISSUER_PORT, WORKSPACE } from '../workspace.js';

export interface Service {
  name: string;
  port: number;
  /** Environment variable that sets a different port. */
  variable: string;
  /** Path of the API. */
  api: string;
}

export const SERVICES: readonly Service[] = [
  { name: 'coverage-service', port: COVERAGE_PORT, variable: 'COVERAGE_PORT', api: '/v2/cov' },
  { name: 'event-service', port: EVENT_PORT, variable: 'EVENT_PORT', api: '/api/v2/sys/events' },
];
export const ISSUER_URL = `http://${HOST}:${ISSUER_PORT}`;
export const PORTAL_URL = `http://${HOST}:${COVERAGE_PORT}/v2/cov/portal/`;
export const serviceUrl = ({ port }: Service): string => `http://${HOST}:${port}`;

const STOP_WITHIN_MS = 15_000;
/** Not through npx, which loads npm first. Relative, because a shell would split a path with spaces. */
const NX = join('node_modules', '.bin', 'nx');
/** Origins that serve the portal: coverage-service (the build) and Vite's server (`npx nx serve portal`). */
const PORTAL_ORIGINS = [COVERAGE_PORT, 5173].flatMap((port) => [`http://${HOST}:${port}`, `http://localhost:${port}`]);

/** Runs the issuer and every service. */
export class Stack {
  private issuer: DevIssuer | undefined;
  private processes: ServiceProcess[] = [];

  /**
   * @param print writes a line for the developer
   * @param signal cancels the start
   * @param sandbox if the services run as in production, on databases that are emptied every night
   */
  constructor(
    private readonly print: (line: string) => void,
    private readonly signal: AbortSignal,
    private readonly sandbox?: Sandbox,
  ) {}

  /** Resolves when everything is ready. If this rejects, `stop` must still be called. */
  async start(): Promise<void> {
    for (const wanted of [{ name: 'the issuer', port: ISSUER_PORT, variable: 'ISSUER_PORT' }, ...SERVICES]) await assertFreePort(wanted);
    this.issuer = await startDevIssuer({ host: HOST, port: ISSUER_PORT, dataDir: join(DATA_DIR, 'issuer') });
    this.signal.throwIfAborted();
    await this.sandbox?.open();
    const services = SERVICES.map(({ name }) => name).join(' and ');
    this.print(`Starting ${services}, and building the portal, which takes about a minute the first time ...`);
    // The portal is only needed when somebody opens it, so the services start while it is being built. In production, they read it once.
    const portal = this.buildPortal();
    if (this.sandbox) await portal;
    await this.startServices();
    await portal;
  }

  /** Erases everything in a sandbox, and fills it again. */
  async reset(): Promise<void> {
    this.print('Erasing the sandbox ...');
    await Promise.all(this.processes.map((process) => process.stop()));
    await this.sandbox!.empty();
    await this.startServices();
    this.print('The sandbox is as new.');
  }

  /** Rejects when a service ends; never resolves. */
  async failure(): Promise<never> {
    const dead = await Promise.race(this.processes.map((process) => process.gone.then((reason) => ({ process, reason }))));
    return this.fail(dead.process, new Error(`${dead.process.name} ${dead.reason}`));
  }

  async stop(): Promise<void> {
    const exitCodes = await Promise.all(this.processes.map((process) => process.stop()));
    await this.issuer?.close();
    await this.sandbox?.close();
    if (this.sandbox || exitCodes.every((code) => code === 0)) return;
    // A killed service leaves its database server behind.
    const { stopEmbeddedPostgres } = await import('@fibre/embedded-postgres');
    await Promise.all(SERVICES.map(({ name }) => stopEmbeddedPostgres(join(DATA_DIR, name))));
  }

  private async startServices(): Promise<void> {
    this.processes = SERVICES.map((service) => this.startService(service));
    await Promise.all(this.processes.map((process) => process.ready(this.signal).catch((error: Error) => this.fail(process, error))));
    const [COVERAGE_URL, EVENTS_URL] = SERVICES.map(serviceUrl) as [string, string];
    await this.sandbox?.fill({ COVERAGE_URL, EVENTS_URL, ISSUER_URL }, this.signal);
  }

  private startService({ name, port }: Service): ServiceProcess {
    const settings = {
      NODE_ENV: 'development',
      DATA_DIR,
      OAUTH_ISSUER: ISSUER_URL,
      OAUTH_AUDIENCE: AUDIENCE,
      // These variables are not passed on, so that each service uses its own embedded database, base URL and tsconfig.json.
      DATABASE_URL: undefined,
      PUBLIC_BASE_URL: undefined,
      TS_NODE_PROJECT: undefined,
      PORTAL_EVENTS_URL: `http://${HOST}:${EVENT_PORT}`,
      CORS_ORIGINS: PORTAL_ORIGINS.join(' '),
      ...this.sandbox?.settingsOf(name),
    };
    return new ServiceProcess(
      name,
      port,
      { LOG_LEVEL: 'warn', ...process.env, ...settings },
      {
        // Ctrl-C only reaches this process, which then stops the services in order.
        detached: process.platform !== 'win32',
        stopWithinMs: STOP_WITHIN_MS,
        onLine: (line) => this.print(`${name} | ${readableLog(line)}`),
      },
    );
  }

  /** Builds the portal for coverage-service, unless Nx finds it unchanged. The services also work without it. */
  private async buildPortal(): Promise<void> {
    const env = { ...process.env, NX_DAEMON: 'false' };
    // A build would replace the output folders, which tests that run on the build are using.
    if (process.env.TEST_BUILT !== '1')
      await promisify(execFile)(NX, ['build', 'portal'], { cwd: WORKSPACE, env, shell: process.platform === 'win32' }).catch(
        (error: Error & { stdout?: string }) => this.print(`portal | could not be built: ${error.stdout?.trim() || error.message}`),
      );
  }

  private fail({ lines }: ServiceProcess, error: Error): never {
    if (this.signal.aborted) throw error;
    const lastWords = lines.length === 0 ? 'It printed nothing.' : 'Its last lines are above.';
    throw new Error(`${error.message}. ${lastWords}`, { cause: error });
  }
}

async function assertFreePort({ name, port, variable }: Omit<Service, 'api'>): Promise<void> {
  if ((await getPort({ host: HOST, port })) === port) return;
  throw new Error(
    `Port ${port} for ${name} is already in use on ${HOST}. Is the stack already running in another terminal? ` +
      `To use another port: ${variable}=${port + 1_000} npm start`,
  );
}

const prettify = pretty.prettyFactory({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname,name,service', singleLine: true });

/** Makes a service's log lines readable, and returns other lines unchanged. */
const readableLog = (line: string): string => (line.startsWith('{"level":') ? prettify(line).trimEnd() : line);
