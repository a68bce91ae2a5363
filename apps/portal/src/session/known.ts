import type { OidcMetadata } from 'oidc-client-ts';
import type { Configuration } from '../configuration.js';

/** What the portal has read before it redirects to the issuer, and needs again when it is back. */
export interface Known {
  readonly configuration: Configuration;
  readonly metadata: Partial<OidcMetadata>;
}

const NAME = 'known';

/** Keeps it in this tab, for one redirect. */
export const keep = (known: Known): void => sessionStorage.setItem(NAME, JSON.stringify(known));

/** What was kept, once. */
export function takeKept(): Known | undefined {
  const text = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return text === null ? undefined : (JSON.parse(text) as Known);
}
