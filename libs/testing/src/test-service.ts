import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, describedApi, type ServerEnv, type ServiceDefinition } from '@fibre/server';
import type { NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { deliveriesOf, leaksOf, watchTimers } from './leaks.js';
import { type ClonedDatabase, cloneDatabase } from './database/clone-database.js';
import { startTestIssuer, TEST_AUDIENCE, type TestIssuer, type TokenOptions } from './test-issuer.js';

/** A service with its own port, database and issuer. */
export interface TestService {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly databaseUrl: string;
  readonly issuer: TestIssuer;
  /** A client that sends a token of the test issuer with every request. */
  as(token: TokenOptions): Promise<ReturnType<typeof supertest.agent>>;
  /** A client that sends no token. */
  anonymous(): ReturnType<typeof supertest.agent>;
  /** What it has taken and not given back after some milliseconds; `close` throws if there is anything. */
  leaks(patienceMs?: number): Promise<string[]>;
  close(): Promise<void>;
}

/** A statement may be slow on a busy machine; libs/database tests the limits. */
const PATIENT = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'].map((limit) => `${limit}=600000`).join('&');

/**
 * As many slots as in production, so that a test notices if one is lost; but tests send a thousand requests at once on busy machines, so the
 * queue is long. Other tests cover overload.
 */
const LONG_QUEUE = { MAX_REQUESTS_WAITING: '100000', MAX_REQUEST_WAIT_MS: '60000', REQUEST_DEADLINE_SECONDS: '300' };

/**
 * Starts a service as in production, on a clone of the template database.
 *
 * @param environment additional settings for this service
 * @param given a database to use and drop instead of a clone
 */
export async function startTestService<E extends ServerEnv>(
  service: ServiceDefinition<E>,
  environment: Record<string, string> = {},
  given?: ClonedDatabase,
): Promise<TestService> {
  const leftTimers = watchTimers();
  const [issuer, database, folder] = await Promise.all([
    startTestIssuer(),
    given ?? cloneDatabase(),
    mkdtemp(join(tmpdir(), 'fibre-test-service-')),
  ]);
  const giveBack = () => Promise.all([issuer.close(), database.drop(), rm(folder, { recursive: true, force: true })]);
  Object.assign(process.env, {
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    SPOOL_DIR: folder,
    ...LONG_QUEUE,
    ...environment,
  });
  const create = async (): Promise<NestExpressApplication> => {
    const env = service.readEnv();
    for (const name of Object.keys(environment)) delete process.env[name];
    return createApp(service.module(env, `${database.url}?${PATIENT}`), env, describedApi(service, env));
  };
  const app = await create().catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });
  // On a machine with a load of thirty, the last of a thousand responses is read so late that the service would already have closed the
  // connection.
  Object.assign(app.getHttpServer(), { headersTimeout: 0 });
  const leaks = (patienceMs?: number) => leaksOf(app, folder, patienceMs);
  // A new connection takes as much processor time as a request.
  const connections = new Agent({ keepAlive: true });
  const close = async () => {
    connections.destroy();
    const left = await leaks();
    // With a connection that nobody gives back, the pool would wait for ever, and nobody would learn of it.
    if (left.length === 0) await app.close();
    else app.close().catch(() => undefined);
    await giveBack();
    left.push(...(await deliveriesOf(app)), ...(await leftTimers()));
    if (left.length > 0) throw new Error(`the service did not give back: ${left.join(', ')}`);
  };
  try {
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await close();
    throw error;
  }
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const anonymous = () => supertest.agent(url).use((request: supertest.Test) => void request.agent(connections));
  return {
    app,
    url,
    databaseUrl: database.url,
    issuer,
    as: async (token) => anonymous().auth(await issuer.token(token), { type: 'bearer' }),
    anonymous,
    leaks,
    close,
  };
}
