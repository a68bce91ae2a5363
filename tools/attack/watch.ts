import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { TENANTS } from '../bench/setup/nodes.js';
import { type Issuer, megabytesOf, type Server } from '../bench/setup/service.js';
import { SCOPES } from './attacks.js';
import type { Sight, VictimJob } from './victim.js';

const COLLECT = 'SIGWINCH';
/** Flags for a service that collects its garbage when it gets this signal. */
export const COLLECTING = ['--expose-gc', `--import=data:text/javascript,process.on('${COLLECT}', () => gc())`];

/**
 * What the objects of all services take in MB, without garbage. Resident memory would not show whether something is kept: it includes what
 * the allocator does not return.
 */
export async function reachableMegabytes(services: readonly Server[]): Promise<number> {
  const living = services.filter(({ program }) => !program.hasEnded);
  for (const { program } of living) program.signal(COLLECT);
  await sleep(1_000);
  const bytes = (await metricsOf(living)).flatMap((text) => text.match(/(?<=^nodejs_(heap_size_used|external_memory)_bytes )\d+/gm) ?? []);
  return bytes.reduce((sum, value) => sum + Number(value) / 1024 ** 2, 0);
}

/** The resident memory in MB of the largest service. */
export const residentMegabytes = (services: readonly Server[]): number => Math.max(...services.map((server) => megabytesOf(server)));

const metricsOf = (services: readonly Server[]): Promise<string[]> =>
  Promise.all(services.map(({ url }) => fetch(`${url}/metrics`).then((response) => response.text())));

/** The limits and database connections of which something is in use; a service that has ended keeps nothing. */
export async function keptBy(services: readonly Server[]): Promise<string[]> {
  const metrics = await metricsOf(services.filter(({ program }) => !program.hasEnded));
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
