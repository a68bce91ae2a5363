import { isIP, isIPv6 } from 'node:net';
import { bool, cleanEnv, type CleanedEnv, EnvMissingError, makeValidator, port, str } from 'envalid';

/** An invalid configuration. The message lists every fault. */
export class ConfigurationError extends Error {}

const wholeNumber = (min: number, max: number, byDefault: number, desc: string) =>
  makeValidator<number>((input) => {
    const value = Number(input);
    if (!Number.isInteger(value) || value < min || value > max) throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  })({ default: byDefault, desc });

/** @param fault a message that does not repeat the value, because the value may contain a password */
const urlWith = (fault: string, ...protocols: string[]) =>
  makeValidator<string>((input) => {
    if (!URL.canParse(input) || !protocols.includes(new URL(input).protocol)) throw new Error(fault);
    return input;
  });
const httpUrl = urlWith('must be an http or https URL', 'http:', 'https:');
const postgresUrl = urlWith('must be a postgres:// URL', 'postgres:', 'postgresql:');

/** Links add the paths of the API, so a base URL has none. */
const baseUrl = makeValidator<string>((input) => {
  const { protocol, origin, href } = new URL(URL.canParse(input) ? input : 'none:');
  if (!/^https?:$/.test(protocol) || href !== `${origin}/`) throw new Error('must be scheme and host, such as https://api.example.net');
  return origin;
});

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Anyone who can change a key set in transit could forge tokens. */
function isSafeForKeys(input: string): boolean {
  const { protocol, hostname } = new URL(URL.canParse(input) ? input : 'none:');
  return protocol === 'https:' || (protocol === 'http:' && (process.env.NODE_ENV !== 'production' || LOOPBACK.test(hostname)));
}
const KEYS_RULE = 'must be an https URL; http only in development, or on this machine';

const keySetUrl = makeValidator<string>((input) => {
  if (!isSafeForKeys(input)) throw new Error(KEYS_RULE);
  return input;
});

/** With a key set of its own address, the issuer is only compared with `iss`, which need not be a safe address, nor an address at all. */
const issuer = makeValidator<string>((input) => {
  if (process.env.OAUTH_JWKS_URI) {
    if (!/^[\x21-\x7e]{1,255}$/.test(input)) throw new Error('must be 1 to 255 characters without spaces, exactly as in the iss claim');
  } else if (!isSafeForKeys(input)) throw new Error(`${KEYS_RULE}; for any other issuer, set OAUTH_JWKS_URI to the https URL of its keys`);
  return input;
});

/** @param rule what each word must be @param isValid whether a word follows the rule */
const wordsThat = (rule: string, isValid: (word: string) => boolean) =>
  makeValidator<readonly string[]>((input) => {
    const words = wordsOf(input, /[\s,]+/);
    const wrong = words.filter((word) => !isValid(word));
    if (wrong.length > 0) throw new Error(`must be ${rule}, separated by spaces; wrong: ${wrong.join(', ')}`);
    return words;
  });
const wordsOf = (input: string, separator = /\s+/): string[] => input.split(separator).filter(Boolean);

const words = makeValidator<readonly string[]>((input) => {
  const all = wordsOf(input);
  if (all.length === 0) throw new Error('must be words separated by spaces');
  return all;
});

/** Maps our scopes to the issuer's names: `coverage:read=cov.r events:read=ev.r`. */
const scopeNames = makeValidator<ReadonlyMap<string, string>>((input) => {
  const pairs = wordsOf(input).map((pair) => pair.split('='));
  if (pairs.some((pair) => pair.length !== 2 || pair.includes(''))) throw new Error('must be pairs of our=theirs, separated by spaces');
  return new Map(pairs as [string, string][]);
});

/** A value for Express's `trust proxy`: a number of hops, or addresses and subnets separated by commas. */
const trustProxy = makeValidator<number | string | false>((input) => {
  if (input === '' || input === 'false') return false;
  if (/^\d+$/.test(input)) return Number(input);
  if (/^[0-9a-f.:/, ]+$|^(loopback|linklocal|uniquelocal)(, *(loopback|linklocal|uniquelocal))*$/i.test(input)) return input;
  throw new Error('must be a number of proxies, or their addresses or subnets separated by commas');
});

/** IP addresses and ranges (CIDR). */
const addresses = wordsThat('addresses or ranges like 10.1.0.0/16', (word) => {
  const [, address = '', prefix = '0'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(word) ?? [];
  return isIP(address) > 0 && Number(prefix) <= (isIPv6(address) ? 128 : 32);
});

/** Origins exactly as browsers send them: scheme, host, and the port if it is not the default one. */
const origins = wordsThat(
  'origins like https://portal.example.net',
  (word) => URL.canParse(word) && /^https?:/.test(word) && new URL(word).origin === word,
);

/** The settings of every service. Each service adds its own; docs/operations.md lists them. */
const serverSettings = {
  NODE_ENV: str({
    default: 'development',
    choices: ['production', 'development', 'test'],
    desc: 'production rejects the embedded database and development defaults',
  }),
  HOST: str({ default: '127.0.0.1', desc: 'address to listen on' }),
  PORT: port({ desc: 'port to listen on' }),
  DATA_DIR: str({ default: '', desc: 'where the embedded database keeps its data; .data in the workspace when empty' }),
  DATABASE_URL: postgresUrl({ devDefault: undefined, desc: 'PostgreSQL 15 to 18; unset: an embedded server, in development only' }),
  DATABASE_POOL_SIZE: wholeNumber(1, 200, 10, 'maximum number of connections to the database, and to a replica'),
  DATABASE_NAMED_STATEMENTS: bool({ default: true, desc: 'false for poolers that do not support prepared statements' }),
  MIGRATE_ON_START: bool({ default: false, devDefault: true, desc: 'run pending migrations before listening' }),
  OAUTH_ISSUER: issuer({ devDefault: 'http://127.0.0.1:3003', desc: 'issuer identifier, as in the iss claim' }),
  OAUTH_JWKS_URI: keySetUrl({ default: undefined, desc: 'key set; unset: discovered from the issuer' }),
  OAUTH_TOKEN_URL: httpUrl({ default: undefined, desc: 'token endpoint for the docs page; unset: <issuer>/token' }),
  OAUTH_AUDIENCE: words({ devDefault: ['open-access-fibre'], desc: 'accepted audiences; a token must be for one of them' }),
  OAUTH_AUDIENCE_CLAIM: str({ default: 'aud', desc: 'claim that says whom a token is for' }),
  OAUTH_TENANT_CLAIM: str({ default: 'tenant', desc: 'claim that names the tenant, or its path such as a.b' }),
  OAUTH_ACTOR_CLAIMS: words({
    default: ['preferred_username', 'client_id', 'azp', 'appid', 'sub'],
    desc: 'claims that say who did something, or their paths; the first that a token has counts',
  }),
  OAUTH_SCOPE_CLAIMS: words({ default: ['scope', 'scp'], desc: 'claims that list the scopes, or their paths' }),
  OAUTH_SCOPE_NAMES: scopeNames({
    default: new Map<string, string>(),
    desc: "the issuer's names for the scopes, as pairs such as coverage:read=cov.r",
  }),
  CORS_ORIGINS: origins({ default: [], desc: 'origins of web pages that may call the API' }),
  PUBLIC_BASE_URL: baseUrl({ default: undefined, desc: 'scheme and host in links; unset: those of the request' }),
  TRUST_PROXY: trustProxy({ default: false, desc: 'proxies whose X-Forwarded-* headers are trusted' }),
  LOG_LEVEL: str({ default: 'info', choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], desc: 'lowest level to log' }),
  REQUEST_DEADLINE_SECONDS: wholeNumber(1, 300, 10, 'longest time for a request; some operations have more'),
  SETTLE_SECONDS: wholeNumber(1, 3_600, 1, 'age at which recorded data is final: how far the clock of the database may be set back'),
  MAX_REQUESTS_IN_FLIGHT: wholeNumber(1, 10_000, 16, 'maximum number of requests in progress'),
  MAX_REQUESTS_WAITING: wholeNumber(0, 100_000, 64, 'maximum number of requests in the queue; further requests get 503'),
  MAX_REQUEST_WAIT_MS: wholeNumber(0, 60_000, 500, 'longest time in milliseconds that a request waits in the queue; then it gets 503'),
  MAX_BODY_MEGABYTES: wholeNumber(2, 100_000, 32, 'maximum memory for request bodies, in megabytes; when it is used up, requests get 503'),
  SLOW_READER_SECONDS: wholeNumber(1, 300, 10, 'time after which a client that does not read its response is disconnected'),
  EXPORT_MAX_SECONDS: wholeNumber(1, 3_600, 300, 'longest time for an export; its connection then closes'),
  WEBHOOK_ALLOW_CIDRS: addresses({
    default: [],
    devDefault: ['::1', '127.0.0.0/8'],
    desc: 'non-public addresses and ranges that webhooks may be sent to',
  }),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 300, 0, 'time between becoming unready and closing the listener'),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(1, 3_600, 25, 'time for running requests after that; then they are cut off'),
};

export type ServerEnv = CleanedEnv<typeof serverSettings>;

/**
 * Reads and checks the environment of a service.
 *
 * @param own settings of this service, and its defaults for common settings
 * @throws ConfigurationError with one line per fault
 */
export const readEnv = <T extends object>(own: T): CleanedEnv<Omit<typeof serverSettings, keyof T> & T> =>
  readSettings<Omit<typeof serverSettings, keyof T> & T>({ ...serverSettings, ...own });

/**
 * Reads the only setting of a command that needs nothing but the database.
 *
 * @throws ConfigurationError
 */
export const readDatabaseUrl = (): string => readSettings({ DATABASE_URL: postgresUrl({ desc: 'PostgreSQL 15 to 18' }) }).DATABASE_URL;

function readSettings<T extends object>(settings: T): CleanedEnv<T> {
  // envalid defaults to production; we default to development, so that a fresh clone starts.
  return cleanEnv<T>({ NODE_ENV: 'development', ...process.env }, settings, {
    reporter: ({ errors }) => {
      const faults = Object.entries<Error | undefined>(errors).map(
        ([name, error]) => `  ${name}: ${error instanceof EnvMissingError ? 'is required: ' : ''}${error?.message}`,
      );
      if (faults.length > 0) throw new ConfigurationError(`The configuration is invalid:\n${faults.join('\n')}`);
    },
  });
}

/** Milliseconds that a request waits for a database connection: half of its deadline, but no less than this. */
const LEAST_CONNECTION_WAIT_MS = 5_000;

/** How a service uses its database. The time limits follow from the deadline of a request. */
export const databaseSettings = (env: ServerEnv) => ({
  poolSize: env.DATABASE_POOL_SIZE,
  namedStatements: env.DATABASE_NAMED_STATEMENTS,
  migrateOnStart: env.MIGRATE_ON_START,
  // Longer than a request's deadline, because it is meant for statements without a deadline.
  statementTimeoutMs: (env.REQUEST_DEADLINE_SECONDS + 1) * 1_000,
  connectionWaitMs: Math.max(LEAST_CONNECTION_WAIT_MS, env.REQUEST_DEADLINE_SECONDS * 500),
});

export { httpUrl, makeValidator, origins, port, postgresUrl, wholeNumber };
