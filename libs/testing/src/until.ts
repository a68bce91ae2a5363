import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longer a wait has lasted, the longer its pauses are, because looking takes time from what is awaited. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 200];

/** How many processes share a processor, at least 1. Tests multiply their time limits by it, because everything takes longer on a busy machine. */
export const loadPerProcessor = (): number => Math.max(1, Math.ceil(loadavg()[0]! / availableParallelism()));

/** Less than the time limit of a test (tools/tests/jest-runner-gaps.mjs), so that the failure says what is missing and no loop outlives its test. */
const WITHIN_MS = 50_000 * loadPerProcessor();

/**
 * Polls until `look` finds something, and returns it.
 *
 * @param what describes the awaited condition, for the error message
 * @param look returns or resolves to `undefined` or false until it finds something
 */
export async function until<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const begin = Date.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const waited = Date.now() - begin;
    if (waited > WITHIN_MS) throw new Error(`${what}: not within ${WITHIN_MS / 1_000} s`);
    await sleep(Math.min(Math.max(SHORTEST_PAUSE_MS, waited / 10), LONGEST_PAUSE_MS));
  }
}
