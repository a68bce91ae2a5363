import { clientCredentials, FibreClient, type FibreClientOptions } from '../../index.js';
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

/** The environment variable for a setting. The flag has the same name: --coverage-url for FIBRE_COVERAGE_URL. */
export const variableOf = (name: string): string => `FIBRE_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;

/** Ports that the Fetch standard forbids, because other protocols use them (https://fetch.spec.whatwg.org/#port-blocking). */
const FORBIDDEN_PORTS = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115],
  ...[117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587],
  ...[601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679],
  ...[6697, 10080],
]);

/** @throws UsageError that lists all missing settings */
export function connect(
  settings: Settings,
  api: 'coverageUrl' | 'eventsUrl',
  options: Pick<FibreClientOptions, 'fetch'> = {},
): FibreClient {
  // These are not flags, because every user of a machine can see the command lines of all other users.
  const { FIBRE_CLIENT_SECRET: clientSecret, FIBRE_ACCESS_TOKEN: accessToken } = process.env;
  const { issuer, clientId, scope, audience, namespace, [api]: url } = settings;
  const forToken = accessToken ? {} : { FIBRE_ISSUER: issuer, FIBRE_CLIENT_ID: clientId, FIBRE_CLIENT_SECRET: clientSecret };
  const missing = Object.entries({ [variableOf(api)]: url, ...forToken }).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) throw new UsageError(`Not set: ${missing.join(', ')}. See fibre --help.`);
  for (const name of ['issuer', api] as const) {
    const address = settings[name];
    if (!address) continue;
    if (!/^https?:\/\/./.test(address) || !URL.canParse(address))
      throw new UsageError(`${variableOf(name)} is not a valid address: ${address}`);
    const { port, username, password } = new URL(address);
    if (username || password) throw new UsageError(`${variableOf(name)} must not contain a user name or password`);
    if (FORBIDDEN_PORTS.has(Number(port))) throw new UsageError(`${variableOf(name)} has port ${port}, to which no web client connects`);
  }
  const credentials = { issuer: issuer!, clientId: clientId!, clientSecret: clientSecret!, scope, audience };
  const token = accessToken ? () => accessToken : clientCredentials(credentials);
  return new FibreClient({ [api]: url, namespace: namespace || undefined, token, ...options });
}
