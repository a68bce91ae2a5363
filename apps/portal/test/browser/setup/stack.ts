import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MortalPostgres } from '@fibre/testing/databases';
import { freePort, ServiceProcess } from '@fibre/testing/processes';
import { type Issuer, keycloak, startDevelopmentIssuer } from './issuer.js';

interface Parts {
  readonly coverage: ServiceProcess;
  readonly events: ServiceProcess;
  readonly issuer: Issuer;
  readonly database: MortalPostgres;
  readonly folder: string;
}

/**
 * The real system on free ports with new databases: issuer, both services, and the portal as coverage-service serves it. With
 * `OAUTH_ISSUER=http://localhost:8081/realms/fibre`, a running Keycloak is the issuer.
 */
export class Stack {
  private constructor(private readonly parts: Parts) {}

  /** @param settings additional settings of both services */
  static async start(settings: Record<string, string> = {}): Promise<Stack> {
    const folder = await mkdtemp(join(tmpdir(), 'portal-'));
    // If this runs as root, the database server runs as another user.
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'postgres'));
    const { PATH, HOME, TMPDIR, OAUTH_ISSUER } = process.env;
    const environment = { PATH, HOME, TMPDIR, DATA_DIR: folder };
    const [issuer, database] = await Promise.all([
      OAUTH_ISSUER === undefined ? startDevelopmentIssuer(environment) : keycloak(OAUTH_ISSUER),
      MortalPostgres.start(join(folder, 'postgres'), { fsync: false, full_page_writes: false, synchronous_commit: false }),
    ]);
    const [coveragePort, eventsPort] = [issuer.portalPort ?? (await freePort()), await freePort()];
    const serviceOn = async (name: string, port: number): Promise<ServiceProcess> => {
      await database.createDatabase(name);
      return new ServiceProcess(name, port, {
        ...environment,
        LOG_LEVEL: 'warn',
        OAUTH_ISSUER: issuer.url,
        DATABASE_URL: database.url(name),
        PORTAL_EVENTS_URL: `http://127.0.0.1:${eventsPort}`,
        CORS_ORIGINS: `http://127.0.0.1:${coveragePort}`,
        ...settings,
      });
    };
    const [coverage, events] = [await serviceOn('coverage-service', coveragePort), await serviceOn('event-service', eventsPort)];
    const stack = new Stack({ coverage, events, issuer, database, folder });
    try {
      await Promise.all([coverage.ready(), events.ready()]);
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  get origins(): readonly string[] {
    const { coverage, events, issuer } = this.parts;
    return [coverage.url, events.url, new URL(issuer.url).origin];
  }

  get portalUrl(): string {
    return `${this.parts.coverage.url}/v2/cov/portal/`;
  }

  /** Invalidates all sessions and refresh tokens at the issuer; access tokens stay valid. */
  forgetSessions(): Promise<void> {
    return this.parts.issuer.forgetSessions();
  }

  /** Stops the database while an action runs; during that time the services return 503. */
  async withoutDatabase(act: () => Promise<void>): Promise<void> {
    await this.parts.database.stop();
    try {
      await act();
    } finally {
      await this.parts.database.start();
    }
  }

  /** A token for a demo client, to prepare data and check results. */
  async token(clientId = 'ano-demo'): Promise<string> {
    const response = await fetch(this.parts.issuer.tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientId}-secret`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** Calls an API directly: `stack.api('POST', '/v2/cov/relations/', {...})`. */
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
