import { join } from 'node:path';
import { clientCredentials, FibreClient, type FibreClientOptions } from '../src/index.js';

export const WORKSPACE = join(import.meta.dirname, '../../..');
/** Settings of both services. */
export const SETTINGS = { SEARCH_MAX_ROWS: '1000' };

/** Where the services and their issuer are (global-setup.mjs). */
export interface Stack {
  readonly coverageUrl: string;
  readonly eventsUrl: string;
  readonly issuer: string;
}
export const stack = JSON.parse(process.env.TEST_STACK ?? '{}') as Stack;

/** A `FibreClient` with the credentials of this demo client. */
export const client = (id = 'ano-demo', options?: Partial<FibreClientOptions>): FibreClient =>
  new FibreClient({ ...stack, token: clientCredentials({ issuer: stack.issuer, clientId: id, clientSecret: `${id}-secret` }), ...options });
