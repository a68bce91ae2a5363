import { join } from 'node:path';
import { type ProgramOptions, ServiceProcess } from '@fibre/testing/processes';
import { AUDIENCE } from '../dev-issuer/provider-configuration.js';
import { COVERAGE_PORT, DATA_DIR, EVENT_PORT, HOST } from '../workspace.js';
import { type WantedPort } from './free-ports.js';

export interface Service extends WantedPort {
  /** Where the API begins. */
  api: string;
}

export const SERVICES: readonly Service[] = [
  { name: 'coverage-service', port: COVERAGE_PORT, variable: 'COVERAGE_PORT', api: '/v2/cov' },
  { name: 'event-service', port: EVENT_PORT, variable: 'EVENT_PORT', api: '/api/v2/sys/events' },
];

export const PORTAL_URL = `http://${HOST}:${COVERAGE_PORT}/v2/cov/portal/`;

export function serviceUrl({ port }: Service): string {
  return `http://${HOST}:${port}`;
}

/** Where a service's embedded database lives. */
export function databaseRoot({ name }: Service): string {
  return join(DATA_DIR, name);
}

/** Where the portal may be opened: as it is built, and from Vite's server (`npx nx serve portal`). */
const PORTAL_ORIGINS = [COVERAGE_PORT, 5173].flatMap((port) => [`http://${HOST}:${port}`, `http://localhost:${port}`]);

export function startService({ name, port }: Service, issuer: string, options: Partial<ProgramOptions>): ServiceProcess {
  const settings = {
    NODE_ENV: 'development',
    DATA_DIR,
    OAUTH_ISSUER: issuer,
    OAUTH_AUDIENCE: AUDIENCE,
    // Settings of the shell must not reach every service: each uses its own embedded database and its own tsconfig.json.
    DATABASE_URL: undefined,
    PUBLIC_BASE_URL: undefined,
    TS_NODE_PROJECT: undefined,
    PORTAL_EVENTS_URL: `http://${HOST}:${EVENT_PORT}`,
    CORS_ORIGINS: PORTAL_ORIGINS.join(' '),
  };
  return new ServiceProcess(name, port, { LOG_LEVEL: 'warn', ...process.env, ...settings }, options);
}
