/** What coverage-service says at `config.json`, from its environment. */
export interface Configuration {
  readonly issuer: string;
  readonly client_id: string;
  /** Our name of each scope, and the issuer's. */
  readonly scopes: Readonly<Record<Scope, string>>;
  /** Scheme and host of each API; empty where it is the one of this page. */
  readonly coverage_url: string;
  readonly events_url: string;
  /** A MapLibre style to show instead of the bundled background. */
  readonly map_style?: string;
}

export const SCOPES = ['coverage:read', 'coverage:write', 'coverage:search', 'events:read', 'events:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Where the portal stands, `/v2/cov/portal/`. */
export const BASE = import.meta.env.BASE_URL;
/** The URL of a page: `page('relations')`. */
export const page = (path: string): string => `${BASE}${path}`;

export async function loadConfiguration(): Promise<Configuration> {
  const response = await fetch(page('config.json'));
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  return (await response.json()) as Configuration;
}
