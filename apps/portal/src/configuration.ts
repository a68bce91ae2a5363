/** Content of `config.json`, which coverage-service creates from its environment. */
export interface Configuration {
  readonly issuer: string;
  readonly client_id: string;
  /** The issuer's name for each of our scopes. */
  readonly scopes: Readonly<Record<Scope, string>>;
  /** Scheme and host of each API; empty if they are the same as the page's. */
  readonly coverage_url: string;
  readonly events_url: string;
  /** A MapLibre style to use instead of the bundled background. */
  readonly map_style?: string;
}

export const SCOPES = [
  'coverage:read',
  'coverage:write',
  'coverage:search',
  'events:read',
  'events:write',
  'closings:write',
  'charges:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Path of the portal, `/v2/cov/portal/`. */
export const BASE = import.meta.env.BASE_URL;
/** The URL of a page: `page('relations')`. */
export const page = (path: string): string => `${BASE}${path}`;

export async function loadConfiguration(): Promise<Configuration> {
  const response = await fetch(page('config.json'));
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  return (await response.json()) as Configuration;
}
