import { isDeepStrictEqual } from 'node:util';
import { type BenchRequest, send } from './requests.js';
import type { Running } from './running.js';

/** Requests of a scenario whose two answers are compared. */
export const COMPARED = 25;

/** Speed means nothing where the two sides do not say the same. `comparable` gives what has to be equal of a body. */
export async function expectSameAnswers(
  { service, bare }: Running,
  requests: readonly BenchRequest[],
  token: string,
  comparable: (body: string) => unknown,
): Promise<void> {
  for (const request of requests.slice(0, COMPARED)) {
    const [ours, theirs] = await Promise.all([service, bare].map(async (server) => comparable((await send(server, request, token)).body)));
    expectSame(request, ours, theirs);
  }
}

export function expectSame({ path }: BenchRequest, ours: unknown, theirs: unknown): void {
  if (!isDeepStrictEqual(ours, theirs)) throw new Error(`the two sides answer ${path} differently`);
}
