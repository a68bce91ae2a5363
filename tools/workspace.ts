import { dirname, join, resolve } from 'node:path';
import { cleanEnv, port } from 'envalid';

export const WORKSPACE = dirname(import.meta.dirname);

/** What the development servers keep between starts: databases and signing keys. Delete it for a fresh start. */
export const DATA_DIR = resolve(process.env.DATA_DIR || join(WORKSPACE, '.data'));

/** Development servers only accept connections from this machine. */
export const HOST = '127.0.0.1';
/** The ports that the development servers listen on; environment variables of the same names override the defaults. */
export const { COVERAGE_PORT, EVENT_PORT, ISSUER_PORT } = cleanEnv(process.env, {
  COVERAGE_PORT: port({ default: 3001 }),
  EVENT_PORT: port({ default: 3002 }),
  ISSUER_PORT: port({ default: 3003 }),
});
