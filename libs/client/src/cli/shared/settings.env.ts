import { clientCredentials, FibreClient } from '../../index.js';
import { UsageError } from './exit-codes.js';

/** Settings that can be given as flags. */
export interface Settings {
  coverageUrl?: string;
  eventsUrl?: string;
  issuer?: string;
  clientId?: string;
  scope?: string;
  audience?: string;
  namespace?: string;
}

/** The environment variable for each setting. The flag has the same name: --coverage-url for FIBRE_COVERAGE_URL. */
export const VARIABLES = {
  coverageUrl: 'FIBRE_COVERAGE_URL',
  eventsUrl: 'FIBRE_EVENTS_URL',
  issuer: 'FIBRE_ISSUER',
  clientId: 'FIBRE_CLIENT_ID',
  scope: 'FIBRE_SCOPE',
  audience: 'FIBRE_AUDIENCE',
  namespace: 'FIBRE_NAMESPACE',
} as const;

/** @throws UsageError that lists all missing settings */
export function connect(settings: Settings, api: 'coverageUrl' | 'eventsUrl'): FibreClient {
  // These are not flags, because every user of a machine can see the command lines of all other users.
  const { FIBRE_CLIENT_SECRET: clientSecret, FIBRE_ACCESS_TOKEN: accessToken } = process.env;
  const { issuer, clientId, scope, audience, namespace, [api]: url } = settings;
  const forToken = accessToken ? {} : { FIBRE_ISSUER: issuer, FIBRE_CLIENT_ID: clientId, FIBRE_CLIENT_SECRET: clientSecret };
  const missing = Object.entries({ [VARIABLES[api]]: url, ...forToken }).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) throw new UsageError(`Not set: ${missing.join(', ')}. See fibre --help.`);
  for (const name of ['issuer', api] as const) {
    if (settings[name] && !/^https?:\/\/./.test(settings[name]))
      throw new UsageError(`${VARIABLES[name]} is not a valid address: ${settings[name]}`);
  }
  const token = accessToken
    ? () => accessToken
    : clientCredentials({
        issuer: issuer!,
        clientId: clientId!,
        clientSecret: clientSecret!,
        scope: scope || undefined,
        audience: audience || undefined,
      });
  return new FibreClient({ [api]: url, namespace: namespace || undefined, token });
}
