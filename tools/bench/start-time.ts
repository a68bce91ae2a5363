import { median } from './rounds.js';
import { firstAnswer, type ServiceOptions, startService } from './service.js';

export const STARTS = 5;

/** From the start of the process to its first answer, in ms. */
export async function medianStart(options: ServiceOptions, path: string, token: string): Promise<number> {
  const times: number[] = [];
  while (times.length < STARTS) {
    const begin = performance.now();
    const service = await startService({ ...options, profile: false });
    await firstAnswer(service, path, token);
    times.push(performance.now() - begin);
    await service.child.stop();
  }
  return median(times);
}
