import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, Program, type ProgramOptions } from '@fibre/testing/processes';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { DATA_DIR, WORKSPACE } from '../workspace.js';

export type ServiceName = 'coverage-service' | 'event-service';

/** A program under load. */
export interface Server {
  url: string;
  program: Program;
}

export const BENCH_DIR = join(DATA_DIR, 'bench');
/** Connections to the database: the default of the services, given to whatever they are compared with as well. */
export const POOL_SIZE = '10';
const AUDIENCE = 'open-access-fibre';

export async function build(service: ServiceName): Promise<void> {
  await promisify(execFile)('npx', ['nx', 'run-many', '-t', 'build', '-p', service], { cwd: WORKSPACE });
}

/** Runs the built migrations, as a deployment does. */
export async function migrate(service: ServiceName, databaseUrl: string): Promise<void> {
  const env = { ...environment(databaseUrl, 'http://127.0.0.1'), PORT: '1' };
  await promisify(execFile)(process.execPath, ['dist/migrate.js'], { cwd: folderOf(service), env });
}

/** Starts the built service with the settings of production and the flags of its image. */
export async function startService(
  service: ServiceName,
  databaseUrl: string,
  issuer: string,
  { settings = {}, flags = [] }: { settings?: Record<string, string>; flags?: string[] } = {},
): Promise<Server> {
  const { scripts } = JSON.parse(readFileSync(join(folderOf(service), 'package.json'), 'utf8')) as { scripts: { start: string } };
  return startServer({
    name: service,
    args: [...flags, ...scripts.start.split(' ').slice(1)],
    cwd: folderOf(service),
    env: { ...environment(databaseUrl, issuer), ...settings },
    readyPath: '/health/ready',
  });
}

type ServerOptions = Omit<ProgramOptions, 'output' | 'readyUrl'> & { readyPath: string; portVariable?: string };

/** Starts a program on a free port, with its log in a file, and waits until it answers. */
export async function startServer({ readyPath, portVariable = 'PORT', ...options }: ServerOptions): Promise<Server> {
  mkdirSync(BENCH_DIR, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const output = openSync(join(BENCH_DIR, `${options.name}.log`), 'w');
  const env = { ...options.env, [portVariable]: String(port) };
  const program = new Program({ ...options, env, output, readyUrl: url + readyPath, pollMs: 5 });
  return { url, program: await program.ready() };
}

const environment = (databaseUrl: string, issuer: string): NodeJS.ProcessEnv => ({
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
});

export const folderOf = (service: ServiceName): string => join(WORKSPACE, 'apps', service);

export interface Issuer {
  url: string;
  /** A signed access token, each time a new one. */
  token: (tenant: string, scope: string, keyId?: string) => Promise<string>;
  /** From now on it accepts requests and never answers. */
  hang: () => void;
  close: () => void;
}

/** The least that a service needs of an OpenID provider: metadata, a key set, tokens signed by RS256. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' }];
  let hangs = false;
  const server = createServer((request, response) => {
    if (hangs) return;
    const document = request.url === '/jwks' ? { keys } : { issuer: url, jwks_uri: `${url}/jwks` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    token: (tenant, scope, keyId = 'bench') =>
      new SignJWT({ tenant, scope, client_id: 'bench', jti: randomUUID() })
        .setProtectedHeader({ alg: 'RS256', kid: keyId })
        .setIssuer(url)
        .setAudience(AUDIENCE)
        .setSubject('bench')
        .setIssuedAt()
        .setExpirationTime('6h')
        .sign(privateKey),
    hang: () => (hangs = true),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
