import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { Server } from '../running.js';

const [PROBE_EVERY_MS, PROBE_WITHIN_MS] = [200, 30_000];
const KILOBYTES_PER_MEGABYTE = 1_024;

export interface Watched {
  /** Longest that a probe waited, in ms; {@link PROBE_WITHIN_MS} when one failed. */
  slowestProbe: number;
  /** Most resident memory, in MB; NaN elsewhere than on Linux. */
  megabytes: number;
}

/** Asks both probes over new connections, as the kubelet does, and looks at the memory while something else goes on. */
export async function whileWatched<T>({ url, pid }: Server, work: Promise<T>): Promise<T & Watched> {
  const watched: Watched = { slowestProbe: 0, megabytes: 0 };
  const probes: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    watched.megabytes = Math.max(watched.megabytes, residentMegabytes(pid));
    for (const path of ['/health/live', '/health/ready'])
      probes.push(probe(url + path).then((ms) => (watched.slowestProbe = Math.max(watched.slowestProbe, ms))));
  }, PROBE_EVERY_MS);
  try {
    const result = await work;
    clearInterval(timer);
    // One that has no answer yet is the slowest of all.
    await Promise.all(probes);
    return { ...result, ...watched };
  } finally {
    clearInterval(timer);
  }
}

function probe(url: string): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve) => {
    request(url, { agent: false, timeout: PROBE_WITHIN_MS }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200 ? performance.now() - begin : PROBE_WITHIN_MS));
    })
      .once('timeout', () => resolve(PROBE_WITHIN_MS))
      .once('error', () => resolve(PROBE_WITHIN_MS))
      .end();
  });
}

function residentMegabytes(pid: number): number {
  if (process.platform !== 'linux') return NaN;
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / KILOBYTES_PER_MEGABYTE;
}
