import type { AddressInfo } from 'node:net';
import { createApp, type ServerEnv, type ServiceDefinition } from '@fibre/server';
import type { NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { type ClonedDatabase, cloneDatabase } from './database/clone-database.js';
import { startTestIssuer, TEST_AUDIENCE, type TestIssuer, type TokenOptions } from './test-issuer.js';

/** A service on a port and a database of its own, with an issuer of its own. */
export interface TestService {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly databaseUrl: string;
  readonly issuer: TestIssuer;
  /** A client that sends a token of the test issuer with every request. */
  as(token: TokenOptions): Promise<ReturnType<typeof supertest.agent>>;
  /** A client that sends no token. */
  anonymous(): ReturnType<typeof supertest.agent>;
  close(): Promise<void>;
}

/** A statement that waits its turn on a machine that has a lot else to do is no failure; what the limits do is tested in libs/database. */
const PATIENT = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'].map((limit) => `${limit}=600000`).join('&');

/** Tests send a thousand requests at once, on machines that are busy; what a service refuses then is the subject of a test of its own. */
const UNBOUNDED = {
  MAX_REQUESTS_IN_FLIGHT: '10000',
  MAX_REQUESTS_WAITING: '100000',
  MAX_BODY_MEGABYTES: '1000',
  REQUEST_DEADLINE_SECONDS: '300',
};

/**
 * Starts a service as production does, on a clone of the template database.
 *
 * @param environment settings for this service, beside those that the test issuer and database need
 * @param given a database of the test's own, dropped like the clone that stands for it otherwise
 */
export async function startTestService<E extends ServerEnv>(
  service: ServiceDefinition<E>,
  environment: Record<string, string> = {},
  given?: ClonedDatabase,
): Promise<TestService> {
  const [issuer, database] = await Promise.all([startTestIssuer(), given ?? cloneDatabase()]);
  Object.assign(process.env, {
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    LOG_LEVEL: 'silent',
    ...UNBOUNDED,
    ...environment,
  });
  const env = service.readEnv();
  for (const name of Object.keys(environment)) delete process.env[name];

  const app = await createApp(service.module(env, `${database.url}?${PATIENT}`), env, service.api);
  // As above: at a load of thirty the last of a thousand requests is read late, and a service would have given up its connection.
  Object.assign(app.getHttpServer(), { headersTimeout: 0 });
  const close = async () => {
    await app.close();
    await Promise.all([issuer.close(), database.drop()]);
  };
  try {
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await close();
    throw error;
  }
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  return {
    app,
    url,
    databaseUrl: database.url,
    issuer,
    as: async (token) => supertest.agent(url).auth(await issuer.token(token), { type: 'bearer' }),
    anonymous: () => supertest.agent(url),
    close,
  };
}
