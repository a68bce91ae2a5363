import { join } from 'node:path';
import type { CoverageEnv } from '../coverage.env.js';

export const PORTAL_OPTIONS = Symbol('portal options');
/** Below the API's prefix, which an ingress routes to this service. */
export const PORTAL_PATH = '/v2/cov/portal';

/** The same path works when running from source and in an image. */
const FOLDER = join(import.meta.dirname, '../../../portal/dist');

const SCOPES = ['coverage:read', 'coverage:write', 'coverage:search', 'events:read', 'events:write', 'closings:write', 'charges:read'];

/** Location and settings of the portal. */
export type PortalOptions = ReturnType<typeof portalOptions>;

export const portalOptions = (env: CoverageEnv) => ({
  /** Contents of `config.json`, which the portal reads. */
  configuration: {
    issuer: env.OAUTH_ISSUER,
    client_id: env.PORTAL_CLIENT_ID,
    /** Maps our scope names to the issuer's. */
    scopes: Object.fromEntries(SCOPES.map((scope) => [scope, env.OAUTH_SCOPE_NAMES.get(scope) ?? scope])),
    /** Origin of each API; empty if it is the page's origin. */
    coverage_url: env.PUBLIC_BASE_URL ?? '',
    events_url: env.PORTAL_EVENTS_URL ?? '',
    ...(env.PORTAL_MAP_STYLE_URL && { map_style: env.PORTAL_MAP_STYLE_URL }),
  },
  /** The build folder of `apps/portal`. */
  folder: FOLDER,
  /** Whether the files may change while the service runs, as in development. */
  isRebuilt: env.NODE_ENV !== 'production',
});
