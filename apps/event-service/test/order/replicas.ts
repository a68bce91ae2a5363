import type { AddressInfo } from 'node:net';
import { createApp } from '@fibre/server';
import type { TestService } from '@fibre/testing';
import { eventService } from '../../src/event-service.js';

/** Another instance of a running service, with the same database and issuer. */
export interface Replica {
  readonly url: string;
  close(): Promise<void>;
}

export async function startReplica(service: TestService, settings: Record<string, string> = {}): Promise<Replica> {
  Object.assign(process.env, { OAUTH_ISSUER: service.issuer.url, LOG_LEVEL: 'silent', ...settings });
  const env = eventService.readEnv();
  const app = await createApp(eventService.module(env, service.databaseUrl), env, eventService.api);
  await app.listen(0, '127.0.0.1');
  return { url: `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`, close: () => app.close() };
}
