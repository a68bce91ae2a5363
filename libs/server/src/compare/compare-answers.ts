import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../start/create-app.js';
import type { ServerEnv } from '../env/server.env.js';
import { describedApi, type ServiceDefinition } from '../start/service-definition.js';
import { type OwnIssuer, startOwnIssuer } from './own-issuer.js';

/** A request of a tenant, whose answer must not change. */
export interface Sample {
  readonly tenant: string;
  readonly path: string;
}

/**
 * Starts the service on two databases and compares the answers of both, byte for byte.
 *
 * @param urls the original and its copy
 * @returns a sentence for each difference
 */
export async function compareAnswers<E extends ServerEnv>(
  service: ServiceDefinition<E>,
  env: E,
  urls: readonly [string, string],
  samples: readonly Sample[],
): Promise<string[]> {
  const issuer = await startOwnIssuer();
  const running: NestExpressApplication[] = [];
  try {
    for (const url of urls) running.push(await start(service, { ...env, ...issuer.settings, ...ALIKE }, url));
    const [original, copy] = running.map((app) => `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`);
    const differences: string[] = [];
    for (const sample of samples) {
      const [expected, found] = [await ask(original!, sample, service, issuer), await ask(copy!, sample, service, issuer)];
      if (expected !== found)
        differences.push(`GET ${sample.path} of ${sample.tenant} differs in the restored copy: ${firstDifference(expected, found)}`);
    }
    return differences;
  } finally {
    await Promise.all(running.map((app) => app.close()));
    issuer.close();
  }
}

/** What an answer may not depend on. Only faults of the comparison are worth a line. */
const ALIKE = {
  PUBLIC_BASE_URL: 'http://comparison.invalid',
  LOG_LEVEL: 'fatal',
  MIGRATE_ON_START: false,
  DATABASE_REPLICA_URL: undefined,
} satisfies Partial<ServerEnv> & { DATABASE_REPLICA_URL: undefined };

async function start<E extends ServerEnv>(service: ServiceDefinition<E>, env: E, databaseUrl: string): Promise<NestExpressApplication> {
  const app = await createApp(service.module(env, databaseUrl), env, describedApi(service, env));
  try {
    return await app.listen(0, '127.0.0.1').then(() => app);
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** The status, and the body as it was sent. */
async function ask(url: string, { tenant, path }: Sample, { api }: { api: { scopes: object } }, issuer: OwnIssuer): Promise<string> {
  const token = await issuer.token(tenant, Object.keys(api.scopes));
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  return `${response.status} ${await response.text()}`;
}

const SHOWN = 60;

function firstDifference(expected: string, found: string): string {
  let at = 0;
  while (expected[at] === found[at]) at++;
  const part = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - SHOWN / 2), at + SHOWN));
  return `${part(found)} instead of ${part(expected)}`;
}
