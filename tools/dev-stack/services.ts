import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIENCE } from '../dev-issuer/provider-configuration.js';
import { DATA_DIR, HOST, WORKSPACE } from '../workspace.js';
import { type ProcessOptions } from './service-process.js';

export interface Service {
  name: string;
  port: number;
  /** Where the API begins. */
  api: string;
}

const SERVICES: readonly Service[] = [
  { name: 'coverage-service', port: 3001, api: '/v2/cov' },
  { name: 'event-service', port: 3002, api: '/api/v2/sys/events' },
];

/** The services that this checkout has. */
export function presentServices(): Service[] {
  return SERVICES.filter(({ name }) => existsSync(join(WORKSPACE, 'apps', name, 'package.json')));
}

export function serviceUrl({ port }: Service): string {
  return `http://${HOST}:${port}`;
}

/** Where a service's embedded database lives. */
export function databaseRoot({ name }: Service): string {
  return join(DATA_DIR, name);
}

/** Runs a service from its sources, as its `serve` script does, but without watching. */
export function serviceProcess(service: Service, issuer: string): ProcessOptions {
  return {
    name: service.name,
    cwd: join(WORKSPACE, 'apps', service.name),
    args: ['--enable-source-maps', '--conditions=source', '--import', '@swc-node/register/esm-register', 'src/main.ts'],
    env: {
      ...process.env,
      NODE_ENV: 'development',
      HOST,
      PORT: String(service.port),
      DATA_DIR,
      OAUTH_ISSUER: issuer,
      OAUTH_AUDIENCE: AUDIENCE,
      // Settings of the shell must not reach every service: each uses its own embedded database and its own tsconfig.json.
      DATABASE_URL: undefined,
      PUBLIC_BASE_URL: undefined,
      TS_NODE_PROJECT: undefined,
    },
    readyUrl: `${serviceUrl(service)}/health/ready`,
  };
}
