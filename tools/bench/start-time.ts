import { median } from './rounds.js';
import { type ServiceOptions, startService } from './service.js';

export const STARTS = 5;

/** From the start of the process to its first answer, in ms. */
export async function medianStart(options: ServiceOptions, path: string, token: string): Promise<number> {
  const [ms] = await medianStarts([options], path, token, STARTS);
  return ms!;
}

/** The same of several services, in turns, so that whatever else the machine does meets all alike. */
export async function medianStarts(sides: readonly ServiceOptions[], path: string, token: string, starts: number): Promise<number[]> {
  const times = sides.map((): number[] => []);
  for (let round = 0; round < starts; round++)
    for (const [side, options] of sides.entries()) times[side]!.push(await timeStart(options, path, token));
  return times.map(median);
}

async function timeStart(options: ServiceOptions, path: string, token: string): Promise<number> {
  const begin = performance.now();
  const { program } = await startService({ ...options, profile: false }, path, token);
  await program.ready();
  const ms = performance.now() - begin;
  await program.stop();
  return ms;
}
