import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, FROM_SOURCES, Program, ServiceProcess } from '@fibre/testing/processes';
import { clientCredentials, FibreClient, type FibreClientOptions } from '../src/index.js';

export const WORKSPACE = join(import.meta.dirname, '../../..');

/** Both services and the development issuer, as processes with their own databases. */
export interface Stack {
  coverageUrl: string;
  eventsUrl: string;
  issuer: string;
  /** A client of the library with the credentials of this demo client. */
  client(id?: string, options?: Partial<FibreClientOptions>): FibreClient;
  close(): Promise<void>;
}

/** They start from their sources, in parallel, possibly on a busy machine. */
const READY_WITHIN_MS = 1_500_000;

/** @param settings of the services, besides those for each other's addresses */
export async function startStack(settings: Record<string, string> = {}): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fibre-client-'));
  const { PATH, HOME, TMPDIR } = process.env;
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const environment = { PATH, HOME, TMPDIR, DATA_DIR: dataDir, OAUTH_ISSUER: issuer, LOG_LEVEL: 'warn' };
  const start = async (name: string) =>
    new ServiceProcess(name, await freePort(), { ...environment, ...settings }, { readyWithinMs: READY_WITHIN_MS });
  const [coverage, event] = [await start('coverage-service'), await start('event-service')];
  const issuing = new Program({
    name: 'issuer',
    args: [...FROM_SOURCES, 'dev-issuer/main.ts'],
    cwd: join(WORKSPACE, 'tools'),
    env: { ...environment, PORT: String(port) },
    readyUrl: `${issuer}/.well-known/openid-configuration`,
    readyWithinMs: READY_WITHIN_MS,
  });
  const programs = [coverage, event, issuing];
  const close = async (): Promise<void> => {
    await Promise.all(programs.map((program) => program.stop()));
    await rm(dataDir, { recursive: true });
  };
  await Promise.all(programs.map((program) => program.ready())).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const urls = { coverageUrl: coverage.url, eventsUrl: event.url };
  return {
    ...urls,
    issuer,
    client: (id = 'ano-demo', options) =>
      new FibreClient({ ...urls, token: clientCredentials({ issuer, clientId: id, clientSecret: `${id}-secret` }), ...options }),
    close,
  };
}
