import { bool, cleanEnv, type CleanedEnv, EnvMissingError, makeValidator, port, str } from 'envalid';

/** A configuration that cannot work. The message names every fault. */
export class ConfigurationError extends Error {}

const withinRange = (min: number, max: number) =>
  makeValidator<number>((input) => {
    const value = Number(input);
    if (!Number.isInteger(value) || value < min || value > max) throw new Error(`has to be a whole number from ${min} to ${max}`);
    return value;
  });

const httpUrl = makeValidator<string>((input) => {
  const protocol = URL.canParse(input) ? new URL(input).protocol : '';
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error('has to be an http or https URL');
  return input;
});

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whoever can change a key set on its way could make tokens that the service accepts. */
const issuerUrl = makeValidator<string>((input) => {
  const { protocol, hostname } = new URL(URL.canParse(input) ? input : 'none:');
  const isSafe = protocol === 'https:' || (protocol === 'http:' && (process.env.NODE_ENV !== 'production' || LOOPBACK.test(hostname)));
  if (!isSafe) throw new Error('has to be an https URL; http only in development, or on this machine');
  return input;
});

const postgresUrl = makeValidator<string>((input) => {
  const protocol = URL.canParse(input) ? new URL(input).protocol : '';
  // The input is not repeated: it has a password in it.
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') throw new Error('has to be a postgres:// URL');
  return input;
});

/** Our scope to the issuer's name for it: `coverage:read=cov.r events:read=ev.r`. */
const scopeNames = makeValidator<ReadonlyMap<string, string>>((input) => {
  const pairs = input
    .split(/\s+/)
    .filter(Boolean)
    .map((pair) => pair.split('='));
  if (pairs.some((pair) => pair.length !== 2 || pair.includes(''))) throw new Error('has to be pairs of our=theirs, separated by spaces');
  return new Map(pairs as [string, string][]);
});

/** What Express takes for `trust proxy`: a number of hops, or addresses and subnets separated by commas. */
const trustProxy = makeValidator<number | string | false>((input) => {
  if (input === '' || input === 'false') return false;
  if (/^\d+$/.test(input)) return Number(input);
  if (/^[0-9a-f.:/, ]+$|^(loopback|linklocal|uniquelocal)(, *(loopback|linklocal|uniquelocal))*$/i.test(input)) return input;
  throw new Error('has to be a number of proxies, or their addresses or subnets separated by commas');
});

/** Exactly as browsers send them: scheme, host, and the port where it is not the usual one. */
const origins = makeValidator<readonly string[]>((input) => {
  const all = input.split(/[\s,]+/).filter(Boolean);
  if (!all.every((one) => URL.canParse(one) && /^https?:/.test(one) && new URL(one).origin === one))
    throw new Error('has to be origins like https://portal.example.net, separated by spaces');
  return all;
});

/** The settings of every service. Each service adds its own; see docs/operations.md for the list. */
const serverSettings = {
  NODE_ENV: str({
    default: 'development',
    choices: ['production', 'development', 'test'],
    desc: 'production refuses the embedded database and development defaults',
  }),
  HOST: str({ default: '127.0.0.1', desc: 'address to listen on' }),
  PORT: port({ desc: 'port to listen on' }),
  DATA_DIR: str({ default: '', desc: 'where the embedded database keeps its data; .data in the workspace when empty' }),
  DATABASE_URL: postgresUrl({ devDefault: undefined, desc: 'PostgreSQL 15 to 18; unset: an embedded one, in development only' }),
  DATABASE_POOL_SIZE: withinRange(1, 200)({ default: 10, desc: 'most connections to the database, and as many to a replica' }),
  DATABASE_NAMED_STATEMENTS: bool({ default: true, desc: 'false for poolers that cannot carry prepared statements' }),
  MIGRATE_ON_START: bool({ default: false, devDefault: true, desc: 'run pending migrations before listening' }),
  OAUTH_ISSUER: issuerUrl({ devDefault: 'http://127.0.0.1:3003', desc: 'issuer identifier, as in the iss claim' }),
  OAUTH_JWKS_URI: issuerUrl({ default: undefined, desc: 'key set; unset: discovered from the issuer' }),
  OAUTH_TOKEN_URL: httpUrl({ default: undefined, desc: 'token endpoint the docs page offers; unset: <issuer>/token' }),
  OAUTH_AUDIENCE: str({ devDefault: 'open-access-fibre', desc: 'what the aud claim has to contain' }),
  OAUTH_TENANT_CLAIM: str({ default: 'tenant', desc: 'claim that names the tenant' }),
  OAUTH_SCOPE_NAMES: scopeNames({ default: new Map<string, string>(), desc: "pairs of our scope = issuer's name for it" }),
  CORS_ORIGINS: origins({ default: [], desc: 'origins whose pages may call the API' }),
  PUBLIC_BASE_URL: httpUrl({ default: undefined, desc: 'scheme and host in links; unset: those of the request' }),
  TRUST_PROXY: trustProxy({ default: false, desc: 'proxies whose X-Forwarded-* headers count' }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    desc: 'least severe lines to log',
  }),
  REQUEST_DEADLINE_SECONDS: withinRange(1, 300)({ default: 10, desc: 'longest that a request may work; bulk operations have 60 s' }),
  SETTLE_SECONDS: withinRange(
    1,
    3_600,
  )({ default: undefined, desc: 'age at which what was recorded is final; unset: 5 more than REQUEST_DEADLINE_SECONDS, and never less' }),
  MAX_REQUESTS_IN_FLIGHT: withinRange(1, 10_000)({ default: 16, desc: 'most requests that are worked on at once' }),
  MAX_REQUESTS_WAITING: withinRange(0, 100_000)({ default: 64, desc: 'most requests that wait for others; more get 503' }),
  MAX_BODY_MEGABYTES: withinRange(2, 100_000)({ default: 32, desc: 'most memory for bodies of requests; more get 503' }),
  SLOW_READER_SECONDS: withinRange(1, 300)({ default: 10, desc: 'time without progress after which the reader of a response is cut' }),
  EXPORT_MAX_SECONDS: withinRange(1, 3_600)({ default: 300, desc: 'longest that an export may take; its connection then breaks' }),
  SHUTDOWN_DELAY_SECONDS: withinRange(0, 300)({ default: 0, desc: 'time between not being ready and closing the listener' }),
};

export type ServerEnv = CleanedEnv<typeof serverSettings>;

/**
 * Reads and checks the environment of a service.
 *
 * @param own settings of that service alone, and other defaults for the common ones
 * @throws ConfigurationError with one line per fault
 */
export function readEnv<T extends object>(own: T): CleanedEnv<Omit<typeof serverSettings, keyof T> & T> {
  return cleanEnv<Omit<typeof serverSettings, keyof T> & T>(
    // envalid takes a machine that says nothing for production; a fresh clone is development.
    { NODE_ENV: 'development', ...process.env },
    { ...serverSettings, ...own },
    {
      reporter: ({ errors }) => {
        const faults = Object.entries<Error | undefined>(errors).map(
          ([name, error]) => `  ${name}: ${error instanceof EnvMissingError ? 'is required: ' : ''}${error?.message}`,
        );
        if (faults.length > 0) throw new ConfigurationError(`The configuration cannot work:\n${faults.join('\n')}`);
      },
    },
  );
}

/** Seconds by which clocks may differ and a request may end late. */
const SETTLE_MARGIN_SECONDS = 5;

/** Age in seconds at which what was recorded is final. */
export const settleSeconds = (env: ServerEnv): number => env.SETTLE_SECONDS ?? env.REQUEST_DEADLINE_SECONDS + SETTLE_MARGIN_SECONDS;

/** Milliseconds that a request waits for a connection to the database: half of its deadline, and at least this long. */
const LEAST_CONNECTION_WAIT_MS = 5_000;

/** The limits of the database that follow from the deadline of a request. */
export const databaseLimits = (env: ServerEnv): { statementTimeoutMs: number; connectionWaitMs: number } => ({
  // Behind the deadline of a request: for what runs without one.
  statementTimeoutMs: (env.REQUEST_DEADLINE_SECONDS + 1) * 1_000,
  connectionWaitMs: Math.max(LEAST_CONNECTION_WAIT_MS, env.REQUEST_DEADLINE_SECONDS * 500),
});

export { httpUrl, makeValidator, origins, port, postgresUrl, withinRange };
