import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, Program, type ProgramOptions, startTestIssuer, TEST_AUDIENCE, type TestIssuer } from '@fibre/testing';
import { DATA_DIR, WORKSPACE } from '../../workspace.js';

export type ServiceName = 'coverage-service' | 'event-service';

/** A program under load. */
export interface Server {
  url: string;
  program: Program;
}

export const BENCH_DIR = join(DATA_DIR, 'bench');
/** Number of database connections: the services' default, also used for the servers that they are compared with. */
export const POOL_SIZE = '10';

export async function build(service: ServiceName): Promise<void> {
  await promisify(execFile)('npx', ['nx', 'run-many', '-t', 'build', '-p', service], { cwd: WORKSPACE });
}

/** Runs the built migrations, as a deployment does. */
export async function migrate(service: ServiceName, databaseUrl: string): Promise<void> {
  const env = { ...environment(databaseUrl, 'http://127.0.0.1'), PORT: '1' };
  await promisify(execFile)(process.execPath, ['dist/migrate.js'], { cwd: folderOf(service), env });
}

/** Starts the built service with production settings and the flags of its image. */
export async function startService(
  service: ServiceName,
  databaseUrl: string,
  issuer: string,
  flags: string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Server> {
  const { scripts } = JSON.parse(readFileSync(join(folderOf(service), 'package.json'), 'utf8')) as { scripts: { start: string } };
  return startServer({
    name: service,
    args: [...flags, ...scripts.start.split(' ').slice(1)],
    cwd: folderOf(service),
    env: { ...environment(databaseUrl, issuer), ...env },
    readyPath: '/health/ready',
  });
}

type ServerOptions = Omit<ProgramOptions, 'output' | 'readyUrl'> & { readyPath: string };

/** Starts a program on a free port, with its log in a file, and waits until it responds. */
export async function startServer({ readyPath, ...options }: ServerOptions): Promise<Server> {
  mkdirSync(BENCH_DIR, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const output = openSync(join(BENCH_DIR, `${options.name}.log`), 'w');
  const env = { ...options.env, PORT: String(port) };
  const program = new Program({ ...options, env, output, readyUrl: url + readyPath, pollMs: 5 });
  return { url, program: await program.ready() };
}

const environment = (databaseUrl: string, issuer: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  NODE_OPTIONS: undefined,
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: POOL_SIZE,
  // The image sets this too.
  MALLOC_ARENA_MAX: '1',
  OAUTH_ISSUER: issuer,
  OAUTH_AUDIENCE: TEST_AUDIENCE,
  LOG_LEVEL: 'info',
});

/** Resident memory of a server in MB: now, or the highest so far. Only on Linux. */
export function megabytesOf({ program }: Server, which: 'now' | 'most' = 'now'): number {
  const status = program.hasEnded ? '' : readFileSync(`/proc/${program.pid}/status`, 'utf8');
  return Number(new RegExp(`^${which === 'now' ? 'VmRSS' : 'VmHWM'}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1_024;
}

export const folderOf = (service: ServiceName): string => join(WORKSPACE, 'apps', service);

export interface Issuer extends TestIssuer {
  /** Returns a newly signed access token on each call. */
  tokenFor: (tenant: string, scope: string, keyId?: string) => Promise<string>;
}

export async function startIssuer(): Promise<Issuer> {
  const issuer = await startTestIssuer();
  const tokenFor: Issuer['tokenFor'] = (tenant, scope, kid) =>
    issuer.token({ tenant, scope, claims: { jti: randomUUID() }, ...(kid && { header: { kid } }) });
  return { ...issuer, tokenFor };
}
