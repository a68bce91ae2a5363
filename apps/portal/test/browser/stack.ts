import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FROM_SOURCES, freePort, Program, ServiceProcess } from '@fibre/testing/processes';

const WORKSPACE = join(import.meta.dirname, '../../../..');

/** The real stack on free ports and new databases: issuer, both services, and the portal as coverage-service serves it. */
export class Stack {
  private constructor(
    readonly coverageUrl: string,
    readonly eventsUrl: string,
    readonly issuerUrl: string,
    private issuer: Program,
    private readonly startIssuer: () => Promise<Program>,
    private readonly services: readonly ServiceProcess[],
    private readonly dataDir: string,
  ) {}

  /** @param settings of the services, beside those that they need to know each other */
  static async start(settings: Record<string, string> = {}): Promise<Stack> {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-e2e-'));
    const [issuerPort, coveragePort, eventPort] = [await freePort(), await freePort(), await freePort()];
    const [issuerUrl, coverageUrl, eventsUrl] = [issuerPort, coveragePort, eventPort].map((port) => `http://127.0.0.1:${port}`) as [
      string,
      string,
      string,
    ];
    const { PATH, HOME, TMPDIR } = process.env;
    const environment = { PATH, HOME, TMPDIR, DATA_DIR: dataDir };
    const startIssuer = (): Promise<Program> =>
      new Program({
        name: 'issuer',
        args: [...FROM_SOURCES, 'dev-issuer/main.ts'],
        cwd: join(WORKSPACE, 'tools'),
        env: { ...environment, PORT: String(issuerPort) },
        readyUrl: `${issuerUrl}/.well-known/openid-configuration`,
      }).ready();
    const env = {
      ...environment,
      LOG_LEVEL: 'warn',
      OAUTH_ISSUER: issuerUrl,
      PORTAL_EVENTS_URL: eventsUrl,
      CORS_ORIGINS: coverageUrl,
      ...settings,
    };
    const services = [new ServiceProcess('coverage-service', coveragePort, env), new ServiceProcess('event-service', eventPort, env)];
    const [issuer] = await Promise.all([startIssuer(), ...services.map((service) => service.ready())]);
    return new Stack(coverageUrl, eventsUrl, issuerUrl, issuer, startIssuer, services, dataDir);
  }

  get portalUrl(): string {
    return `${this.coverageUrl}/v2/cov/portal/`;
  }

  /** The issuer forgets every session and refresh token; its keys, and so the access tokens, stay good. */
  async restartIssuer(): Promise<void> {
    await this.issuer.stop();
    this.issuer = await this.startIssuer();
  }

  /** A token of a demo client, to prepare and to look behind the portal. */
  async token(clientId = 'ano-demo'): Promise<string> {
    const response = await fetch(`${this.issuerUrl}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientId}-secret`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** Asks an API behind the portal's back: `stack.api('POST', '/v2/cov/relations/', {...})`. */
  async api<T = unknown>(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
    const url = (path.startsWith('/v2/cov') ? this.coverageUrl : this.eventsUrl) + path;
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
    await Promise.all([...this.services, this.issuer].map((program) => program.stop()));
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
