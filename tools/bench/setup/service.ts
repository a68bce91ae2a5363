import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, type ProgramOptions, ServiceProcess, TEST_AUDIENCE, type TestIssuer } from '@fibre/testing/processes';
import { DATA_DIR, WORKSPACE } from '../../workspace.js';

export type ServiceName = 'coverage-service' | 'event-service';
export const SERVICES: readonly ServiceName[] = ['coverage-service', 'event-service'];

export const BENCH_DIR = join(DATA_DIR, 'bench');
/** Number of database connections: the services' default, also used for the servers that they are compared with. */
export const POOL_SIZE = '10';

export const folderOf = (service: ServiceName, checkout = WORKSPACE): string => join(checkout, 'apps', service);

export async function build(services: readonly ServiceName[], checkout = WORKSPACE): Promise<void> {
  await promisify(execFile)('npx', ['nx', 'run-many', '-t', 'build', '-p', ...services], { cwd: checkout });
}

/** Runs the built migrations, as a deployment does. */
export async function migrate(service: ServiceName, databaseUrl: string, checkout = WORKSPACE): Promise<void> {
  const env = { ...environment(databaseUrl, 'http://127.0.0.1'), PORT: '1' };
  await promisify(execFile)(process.execPath, ['dist/migrate.js'], { cwd: folderOf(service, checkout), env });
}

/** Starts the built service with production settings and the flags of its image. */
export async function startService(
  service: ServiceName,
  databaseUrl: string,
  issuer: string,
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  checkout = WORKSPACE,
): Promise<ServiceProcess> {
  const cwd = folderOf(service, checkout);
  const { scripts } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const args = [...flags, ...scripts.start.split(' ').slice(1)];
  return startServer(service, { ...environment(databaseUrl, issuer), ...env }, { args, cwd });
}

/** Starts a server on a free port, with its log in a file, and waits until it responds. */
export async function startServer(name: string, env: NodeJS.ProcessEnv, options: Partial<ProgramOptions>): Promise<ServiceProcess> {
  mkdirSync(BENCH_DIR, { recursive: true });
  const output = openSync(join(BENCH_DIR, `${name}.log`), 'w');
  return new ServiceProcess(name, await freePort(), env, { ...options, output }).ready();
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

/** Resident memory of a service in MB. Only on Linux. */
export function megabytesOf({ pid, hasEnded }: ServiceProcess): number {
  const status = hasEnded ? '' : readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
}

/** A token that no other request has, as if it came from a new client. */
export const newToken = (issuer: TestIssuer, tenant: string, scope: string): Promise<string> =>
  issuer.token({ tenant, scope, claims: { jti: randomUUID() } });
