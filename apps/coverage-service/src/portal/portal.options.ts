import { join } from 'node:path';
import type { CoverageEnv } from '../coverage.env.js';

/** Where the portal stands, and what it has to know. */
export interface PortalOptions {
  /** As the portal reads it at `config.json`. */
  readonly configuration: {
    readonly issuer: string;
    readonly client_id: string;
    /** Our name of each scope, and the issuer's. */
    readonly scopes: Readonly<Record<string, string>>;
    /** Scheme and host of each API; empty where it is the one of the page. */
    readonly coverage_url: string;
    readonly events_url: string;
    readonly map_style?: string;
  };
  /** The folder that `apps/portal` is built into. */
  readonly folder: string;
  /** Whether the files may come and go while the service runs, as they do in development. */
  readonly isRebuilt: boolean;
}

export const PORTAL_OPTIONS = Symbol('portal options');
/** Below the prefix of the API, which is what an ingress routes to this service. */
export const PORTAL_PATH = '/v2/cov/portal';

/** The same from the sources and in an image. */
const FOLDER = join(import.meta.dirname, '../../../portal/dist');

const SCOPES = ['coverage:read', 'coverage:write', 'coverage:search', 'events:read', 'events:write'];

export const portalOptions = (env: CoverageEnv): PortalOptions => ({
  configuration: {
    issuer: env.OAUTH_ISSUER,
    client_id: env.PORTAL_CLIENT_ID,
    scopes: Object.fromEntries(SCOPES.map((scope) => [scope, env.OAUTH_SCOPE_NAMES.get(scope) ?? scope])),
    coverage_url: env.PUBLIC_BASE_URL ?? '',
    events_url: env.PORTAL_EVENTS_URL ?? '',
    ...(env.PORTAL_MAP_STYLE_URL && { map_style: env.PORTAL_MAP_STYLE_URL }),
  },
  folder: FOLDER,
  isRebuilt: env.NODE_ENV !== 'production',
});
