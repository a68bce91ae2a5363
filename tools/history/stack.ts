import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  databaseUrl,
  freePort,
  type MortalPostgres,
  ReplicatedPostgres,
  type ServiceProcess,
  startServiceProcess,
  startTcpRelay,
  startTestIssuer,
  type TcpRelay,
  TEST_AUDIENCE,
  type TestIssuer,
} from '@fibre/testing';
import type { ServiceName } from '../bench/setup/service.js';

const REPLICAS = 2;
const SERVICES = { 'event-service': 'events', 'coverage-service': 'coverage' } as const;

/** One instance of a service. It reaches the database through a relay that can break the connection. */
export interface Replica {
  readonly service: ServiceName;
  readonly url: string;
  readonly relay: TcpRelay;
  process: ServiceProcess;
  restart(): Promise<void>;
}

/** The fault fills what the tables leave, so only the tables must fit. */
const DISK_SIZE = '512m';

/** A file system for the tables of a server, so that a fault can fill it. */
class Disk {
  private constructor(readonly folder: string) {}

  /** @returns undefined if this process may not mount one: usually only root may */
  static mount(): Disk | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'disk-'));
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE},mode=755`, 'tmpfs', folder]);
    if (status === 0) return new Disk(folder);
    rmdirSync(folder);
    return undefined;
  }

  async takeTables(server: MortalPostgres): Promise<void> {
    await server.stop();
    execFileSync('sh', ['-c', 'mv "$1" "$2" && ln -s "$2/base" "$1"', 'sh', join(server.dataDir, 'base'), this.folder]);
    await server.start();
  }

  close(): void {
    execFileSync('umount', [this.folder]);
    rmdirSync(this.folder);
  }
}

/** Two instances of each service, and a database server with a standby that has every acknowledged commit. */
export class Stack {
  /** The server that the relays connect to. */
  server: MortalPostgres;
  readonly replicas: Replica[] = [];
  /** Of the first server. */
  readonly disk = Disk.mount();

  private constructor(
    readonly postgres: ReplicatedPostgres,
    readonly issuer: TestIssuer,
  ) {
    this.server = postgres.primary;
  }

  static async start(): Promise<Stack> {
    const stack = new Stack(await ReplicatedPostgres.start('coverage'), await startTestIssuer());
    try {
      const { primary } = stack.postgres;
      await stack.disk?.takeTables(primary);
      await primary.createDatabase('events');
      await primary.query('postgres', `alter system set synchronous_standby_names = '*'`);
      await primary.query('postgres', 'select pg_reload_conf()');
      for (const service of Object.keys(SERVICES) as ServiceName[])
        for (let n = 0; n < REPLICAS; n++) stack.replicas.push(await stack.startReplica(service));
      return stack;
    } catch (error) {
      await stack.close();
      throw error;
    }
  }

  of(service: ServiceName): Replica[] {
    return this.replicas.filter((replica) => replica.service === service);
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map(({ process }) => process.kill()));
    for (const { relay } of this.replicas) relay.cut();
    await this.issuer.close();
    await this.postgres.close();
    this.disk?.close();
  }

  private async startReplica(service: ServiceName): Promise<Replica> {
    const relay = await startTcpRelay(() => this.server.port);
    const url = new URL(databaseUrl(this.server.url(SERVICES[service]), SERVICES[service]));
    url.port = String(relay.port);
    const settings = { DATABASE_URL: url.href, OAUTH_ISSUER: this.issuer.url, OAUTH_AUDIENCE: TEST_AUDIENCE, LOG_LEVEL: 'fatal' };
    const port = await freePort();
    const start = (): Promise<ServiceProcess> => startServiceProcess(service, settings, port);
    const replica: Replica = {
      service,
      relay,
      process: await start(),
      url: `http://127.0.0.1:${port}`,
      async restart() {
        await this.process.kill();
        this.process = await start();
      },
    };
    return replica;
  }
}

export interface Answer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: unknown;
}

/** Sends one request on a connection of its own, and never repeats it. */
export async function send(
  method: string,
  url: string,
  token: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const outgoing = request(url, {
    method,
    agent: false,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: { ...headers, authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
  });
  outgoing.end(body && JSON.stringify(body));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  // An error that follows also ends the response.
  outgoing.on('error', () => undefined);
  return { status: response.statusCode!, etag: response.headers.etag, body: JSON.parse((await text(response)) || 'null') as unknown };
}
/** Longer than any time limit of a service. */
const ANSWER_WITHIN_MS = 90_000;
