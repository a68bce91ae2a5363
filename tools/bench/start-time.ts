import { median } from './rounds.js';
import { type ServiceOptions, startService } from './service.js';

export const STARTS = 5;

/** From the start of the process to its first answer, in ms. */
export async function medianStart(options: ServiceOptions, path: string, token: string): Promise<number> {
  const times: number[] = [];
  while (times.length < STARTS) {
    const begin = performance.now();
    const { program } = await startService({ ...options, profile: false }, path, token);
    await program.ready();
    times.push(performance.now() - begin);
    await program.stop();
  }
  return median(times);
}
