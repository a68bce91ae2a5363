import type { ServerEnv, ServiceDefinition } from '@fibre/server';
import { cloneDatabase } from './database/clone-database.js';
import { startTcpRelay, type TcpRelay } from './processes/tcp-relay.js';
import { startTestService, type TestService } from './test-service.js';

/** A service with a relay between it and its database. */
export async function startRelayedService<E extends ServerEnv>(
  service: ServiceDefinition<E>,
  environment: Record<string, string> = {},
): Promise<TestService & { readonly relay: TcpRelay }> {
  const database = await cloneDatabase();
  const relay = await startTcpRelay(() => Number(new URL(database.url).port || 5_432));
  const url = Object.assign(new URL(database.url), { port: String(relay.port) }).href;
  const drop = async (): Promise<void> => {
    relay.cut();
    await database.drop();
  };
  return Object.assign(await startTestService(service, environment, { url, drop }), { relay });
}
