import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { TENANTS } from '../bench/setup/nodes.js';
import { type Issuer, megabytesOf, type Server } from '../bench/setup/service.js';
import { SCOPES } from './attacks.js';
import type { Sight, VictimJob } from './victim.js';

/** Resident memory of all services. */
export const megabytes = (services: readonly Server[]): number => services.reduce((sum, server) => sum + megabytesOf(server), 0);

/** The limits and database connections of which something is in use; a service that has ended keeps nothing. */
export async function keptBy(services: readonly Server[]): Promise<string[]> {
  const read = ({ url }: Server): Promise<string> => fetch(`${url}/metrics`).then((response) => response.text());
  const metrics = await Promise.all(services.filter(({ program }) => !program.hasEnded).map(read));
  return metrics.flatMap((text) => text.match(/^(limit_(used|waiting)|db_pool_used_connections)\{.*\} (?!0$).*$/gm) ?? []);
}

/**
 * The second tenant runs in its own thread, so that the attack does not slow its clock.
 *
 * @param times how many times its usual number of requests it sends
 */
export async function watchVictim([coverage, events]: readonly Server[], issuer: Issuer, seconds: number, times = 1): Promise<Sight> {
  const token = (tenant: string): Promise<string> => issuer.tokenFor(tenant, SCOPES);
  const tokens = await Promise.all(Array.from({ length: 60 * seconds * times }, () => token(TENANTS[1])));
  const job: VictimJob = { coverage: coverage!.url, events: events!.url, tokens, seconds, times };
  const worker = new Worker(fileURLToPath(new URL('./victim.ts', import.meta.url)), { workerData: job });
  const [sight] = (await once(worker, 'message')) as [Sight];
  return sight;
}
