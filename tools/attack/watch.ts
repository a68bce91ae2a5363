import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ServiceProcess, TestIssuer } from '@fibre/testing/processes';
import { TENANTS } from '../bench/setup/nodes.js';
import { megabytesOf, newToken } from '../bench/setup/service.js';
import { SCOPES } from './attacks.js';
import type { Sight, VictimJob } from './victim.js';

/** The resident memory in MB of the largest service. */
export const residentMegabytes = (services: readonly ServiceProcess[]): number => Math.max(...services.map(megabytesOf));

/** The limits and database connections of which something is in use; a service that has ended keeps nothing. */
export async function keptBy(services: readonly ServiceProcess[]): Promise<string[]> {
  const living = services.filter(({ hasEnded }) => !hasEnded);
  const metrics = await Promise.all(living.map(({ url }) => fetch(`${url}/metrics`).then((response) => response.text())));
  return metrics.flatMap((text) => text.match(/^(limit_(used|waiting)|db_pool_used_connections)\{.*\} (?!0$).*$/gm) ?? []);
}

/**
 * The second tenant runs in its own thread, so that the attack does not slow its clock.
 *
 * @param times how many times its usual number of requests it sends
 */
export async function watchVictim(
  [coverage, events]: readonly ServiceProcess[],
  issuer: TestIssuer,
  seconds: number,
  times = 1,
): Promise<Sight> {
  const tokens = await Promise.all(Array.from({ length: 60 * seconds * times }, () => newToken(issuer, TENANTS[1], SCOPES)));
  const job: VictimJob = { coverage: coverage!.url, events: events!.url, tokens, seconds, times };
  const worker = new Worker(fileURLToPath(new URL('./victim.ts', import.meta.url)), { workerData: job });
  const [sight] = (await once(worker, 'message')) as [Sight];
  return sight;
}
