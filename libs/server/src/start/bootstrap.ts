import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { TIME_ZONE_RELEASE } from '@fibre/dto';
import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { listenerOf } from '../env/listener.env.js';
import type { ServerEnv } from '../env/server.env.js';
import { createApp } from './create-app.js';
import { exitOnFailure } from './exit-on-failure.js';
import { provideDatabase } from './provide-database.js';
import { describedApi, type ServiceDefinition } from './service-definition.js';
import { shutDownOnSignals } from './shutdown.js';
import { counter } from '../metrics/metrics.js';
import { startTracing } from '../observe/tracing.js';

/** Runs a service until a signal ends it. If startup fails, the process exits with a clear message. */
export const bootstrap = <E extends ServerEnv>(service: ServiceDefinition<E>): Promise<void> =>
  exitOnFailure(service.name, () => start(service));

async function start<E extends ServerEnv>(service: ServiceDefinition<E>): Promise<void> {
  const env = service.readEnv();
  const stopTracing = await startTracing(service.name);
  const database = await provideDatabase(service, env);
  try {
    const app = await createApp(service.module(env, database.url), env, describedApi(service, env));
    surviveUnhandledRejections(app.get(Registry));
    shutDownOnSignals(app, env, [stopTracing, () => database.stop()]);
    await app.init();
    const url = await listen(app.getHttpServer(), env);
    const docs = `${url}${service.api.path}/docs`;
    Logger.log(
      `${service.name} listens at ${url}, with tz database ${TIME_ZONE_RELEASE}; try it at ${docs} with tokens of ${env.OAUTH_ISSUER}`,
    );
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** @returns the URL at which the server listens */
async function listen(server: Server, env: ServerEnv): Promise<string> {
  await once(server.listen(listenerOf(env)), 'listening');
  const { address, port } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}

/** An unhandled rejection belongs to one request; by default Node would end the process, and all other requests with it. */
function surviveUnhandledRejections(registry: Registry): void {
  const rejections = counter(registry, 'unhandled_rejections_total', 'Unhandled promise rejections; each is a defect');
  const logger = new Logger('Process');
  process.on('unhandledRejection', (error) => {
    rejections.inc();
    logger.error({ err: error }, 'unhandled promise rejection');
  });
}
