import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, Program } from '@fibre/testing/processes';
import { DATA_DIR, WORKSPACE } from '../workspace.js';
import { AUDIENCE } from './issuer.js';

export const BENCH_DIR = join(DATA_DIR, 'bench');
/** Where CPU profiles are written to. */
export const PROFILES_DIR = join(BENCH_DIR, 'profiles');
/** Connections to the database that each side may have: the default of the services. */
export const POOL_SIZE = '10';
const POLL_MS = 5;

export interface ServiceOptions {
  service: string;
  databaseUrl: string;
  issuer: string;
  /** The workspace it was built in; ours when absent. */
  root?: string;
  /** Write a CPU profile when it ends. */
  profile?: boolean;
  /** Settings that are not the defaults. */
  settings?: Record<string, string>;
}

/** A built service that runs as in production. */
export interface Service {
  url: string;
  program: Program;
}

const environment = ({ databaseUrl, issuer, settings }: ServiceOptions): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  NODE_OPTIONS: undefined,
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: POOL_SIZE,
  // As in the image.
  MALLOC_ARENA_MAX: '1',
  OAUTH_ISSUER: issuer,
  OAUTH_AUDIENCE: AUDIENCE,
  LOG_LEVEL: 'info',
  ...settings,
});

export async function build(service: string): Promise<void> {
  await promisify(execFile)('npx', ['nx', 'run-many', '-t', 'build', '-p', service], { cwd: WORKSPACE });
}

/** Tells apart the schemas that the built migrations make: a loaded table is of use to the one it was made for alone. */
export function schemaOf(options: ServiceOptions): string {
  const directory = join(appOf(options), 'dist/migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(directory)
    .filter((name) => name.endsWith('.js'))
    .sort())
    hash.update(readFileSync(join(directory, file)));
  return hash.digest('hex').slice(0, 8);
}

/** Runs the built migrations, as a deployment does. */
export async function migrate(options: ServiceOptions): Promise<void> {
  await promisify(execFile)(process.execPath, ['dist/migrate.js'], { cwd: appOf(options), env: { ...environment(options), PORT: '1' } });
}

/**
 * Starts it; it need not answer yet. Its log goes to a file, as a container's does.
 *
 * @param path has to answer when it is ready
 */
export async function startService(options: ServiceOptions, path: string, token = ''): Promise<Service> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const profiling = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${PROFILES_DIR}`] : [];
  const program = new Program({
    name: options.service,
    args: [...productionFlags(options), ...profiling, 'dist/main.js'],
    cwd: appOf(options),
    env: { ...environment(options), PORT: new URL(url).port },
    output: openSync(join(BENCH_DIR, `${options.service}.log`), 'w'),
    readyUrl: url + path,
    headers: { authorization: `Bearer ${token}` },
    pollMs: POLL_MS,
  });
  return { url, program };
}

/** Flags of Node in the service's `start` script: `node <flags> dist/main.js`. */
function productionFlags(options: ServiceOptions): string[] {
  const { scripts } = JSON.parse(readFileSync(join(appOf(options), 'package.json'), 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').slice(1, -1);
}

const appOf = ({ service, root = WORKSPACE }: ServiceOptions): string => join(root, 'apps', service);
