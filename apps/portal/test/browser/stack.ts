import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FROM_SOURCES, freePort, MortalPostgres, Program, ServiceProcess } from '@fibre/testing';

const WORKSPACE = join(import.meta.dirname, '../../../..');

interface Parts {
  readonly coverage: ServiceProcess;
  readonly events: ServiceProcess;
  readonly issuerUrl: string;
  readonly startIssuer: () => Promise<Program>;
  issuer: Program;
  readonly database: MortalPostgres;
  readonly folder: string;
}

/** The real stack on free ports and new databases: issuer, both services, and the portal as coverage-service serves it. */
export class Stack {
  private constructor(private readonly parts: Parts) {}

  /** @param settings of the services, beside those that they need to know each other */
  static async start(settings: Record<string, string> = {}): Promise<Stack> {
    const folder = await mkdtemp(join(tmpdir(), 'portal-'));
    // As root the database server runs as another user.
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'postgres'));
    const [issuerPort, coveragePort, eventsPort] = [await freePort(), await freePort(), await freePort()];
    const issuerUrl = `http://127.0.0.1:${issuerPort}`;
    const { PATH, HOME, TMPDIR } = process.env;
    const environment = { PATH, HOME, TMPDIR, DATA_DIR: folder };
    const startIssuer = (): Promise<Program> =>
      new Program({
        name: 'issuer',
        args: [...FROM_SOURCES, 'dev-issuer/main.ts'],
        cwd: join(WORKSPACE, 'tools'),
        env: { ...environment, PORT: String(issuerPort) },
        readyUrl: `${issuerUrl}/.well-known/openid-configuration`,
      }).ready();
    const [issuer, database] = await Promise.all([
      startIssuer(),
      MortalPostgres.start(join(folder, 'postgres'), { fsync: false, full_page_writes: false, synchronous_commit: false }),
    ]);
    const serviceOn = async (name: string, port: number): Promise<ServiceProcess> => {
      await database.query('postgres', `create database "${name}"`);
      return new ServiceProcess(name, port, {
        ...environment,
        LOG_LEVEL: 'warn',
        OAUTH_ISSUER: issuerUrl,
        DATABASE_URL: database.url(name),
        PORTAL_EVENTS_URL: `http://127.0.0.1:${eventsPort}`,
        CORS_ORIGINS: `http://127.0.0.1:${coveragePort}`,
        ...settings,
      });
    };
    const [coverage, events] = [await serviceOn('coverage-service', coveragePort), await serviceOn('event-service', eventsPort)];
    const stack = new Stack({ coverage, events, issuerUrl, startIssuer, issuer, database, folder });
    try {
      await Promise.all([coverage.ready(), events.ready()]);
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  get origins(): readonly string[] {
    const { coverage, events, issuerUrl } = this.parts;
    return [coverage.url, events.url, issuerUrl];
  }

  get portalUrl(): string {
    return `${this.parts.coverage.url}/v2/cov/portal/`;
  }

  /** The issuer forgets every session and refresh token; its keys, and so the access tokens, stay good. */
  async restartIssuer(): Promise<void> {
    await this.parts.issuer.stop();
    this.parts.issuer = await this.parts.startIssuer();
  }

  /** Takes the database away while something is done; the services answer 503 meanwhile. */
  async withoutDatabase(act: () => Promise<void>): Promise<void> {
    await this.parts.database.stop();
    try {
      await act();
    } finally {
      await this.parts.database.start();
    }
  }

  /** A token of a demo client, to prepare and to look behind the portal. */
  async token(clientId = 'ano-demo'): Promise<string> {
    const response = await fetch(`${this.parts.issuerUrl}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientId}-secret`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** Asks an API behind the portal's back: `stack.api('POST', '/v2/cov/relations/', {...})`. */
  async api<T = unknown>(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
    const url = (path.startsWith('/v2/cov') ? this.parts.coverage.url : this.parts.events.url) + path;
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${await this.token()}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
    return (answer === '' ? undefined : JSON.parse(answer)) as T;
  }

  async stop(): Promise<void> {
    const { coverage, events, issuer, database, folder } = this.parts;
    await Promise.all([coverage, events, issuer].map((program) => program.stop()));
    await database.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
