import { dirname, join, resolve } from 'node:path';

export const WORKSPACE = dirname(import.meta.dirname);

/** What the development servers keep between starts: databases and signing keys. Delete it for a fresh start. */
export const DATA_DIR = resolve(process.env.DATA_DIR || join(WORKSPACE, '.data'));

/** Development servers are for this machine only. */
export const HOST = '127.0.0.1';
export const ISSUER_PORT = 3003;
