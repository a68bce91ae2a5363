import { clientCredentials, FibreClient, type FibreClientOptions } from '../../index.js';
import { UsageError } from './exit-codes.js';

export type Environment = Readonly<Record<string, string | undefined>>;
/** The environment of this process. */
export const environment: Environment = process.env;

/** Settings that can be given as flags. */
const SETTINGS = ['coverageUrl', 'eventsUrl', 'issuer', 'clientId', 'scope', 'audience', 'resource', 'namespace'] as const;
export type Settings = Partial<Record<(typeof SETTINGS)[number], string>>;

/** The environment variable for a setting. The flag has the same name: --coverage-url for FIBRE_COVERAGE_URL. */
export const variableOf = (name: string): string => `FIBRE_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;

/** @throws UsageError that lists all missing settings */
export function connect(
  { env }: { readonly env: Environment },
  flags: Settings,
  api: 'coverageUrl' | 'eventsUrl',
  options: Pick<FibreClientOptions, 'fetch'> = {},
): FibreClient {
  // These are not flags, because every user of a machine can see the command lines of all other users.
  const { FIBRE_CLIENT_SECRET: clientSecret, FIBRE_ACCESS_TOKEN: accessToken } = env;
  const settings: Settings = Object.fromEntries(SETTINGS.map((name) => [name, flags[name] ?? env[variableOf(name)]]));
  const { issuer, clientId, scope, audience, resource, namespace, [api]: url } = settings;
  const forToken = accessToken ? {} : { FIBRE_ISSUER: issuer, FIBRE_CLIENT_ID: clientId, FIBRE_CLIENT_SECRET: clientSecret };
  const missing = Object.entries({ [variableOf(api)]: url, ...forToken }).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) throw new UsageError(`Not set: ${missing.join(', ')}. See fibre --help.`);
  for (const name of ['issuer', api] as const) {
    const address = settings[name];
    // The message does not contain the address, which may have a password.
    if (address && !(/^https?:\/\/[^/?#@]+(\/|$)/.test(address) && URL.canParse(address)))
      throw new UsageError(`${variableOf(name)} must be an address such as https://api.example.net, without user name or password`);
  }
  const credentials = { issuer: issuer!, clientId: clientId!, clientSecret: clientSecret!, scope, audience, resource };
  const token = accessToken ? () => accessToken : clientCredentials(credentials);
  return new FibreClient({ [api]: url, namespace: namespace || undefined, token, ...options });
}
