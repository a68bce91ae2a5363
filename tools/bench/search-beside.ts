import { join } from 'node:path';
import { Child } from './child.js';
import { inhabitedPoints } from './coverage-service/towns.js';
import type { Load, LoadResult } from './load-process.js';
import { median } from './rounds.js';
import { line } from './times.js';

const [CONNECTIONS, SEARCHES, SEED] = [4, 5_000, 99];
const MOST = 2;

/** What is searched, and for how long. */
interface Searches {
  readonly url: string;
  readonly token: string;
  /** In the table. */
  readonly nodes: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** The p99 of searches while the work is done again and again, beside without, as a row of a table. */
export async function searchBeside(
  name: string,
  work: () => Promise<unknown>,
  { url, token, nodes, rounds, seconds }: Searches,
): Promise<string[]> {
  const load = new Child(join(import.meta.dirname, 'load-process.ts'));
  const requests = inhabitedPoints(nodes, SEARCHES, SEED).map(([latitude, longitude]) => ({
    path: `/v2/cov/search?center=${latitude},${longitude}&limit=5&search_radius=100`,
  }));
  const search = (): Promise<LoadResult> =>
    load.ask<LoadResult>({ url, token, connections: CONNECTIONS, seconds, requests } satisfies Load);
  try {
    await search();
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      alone.push((await search()).p99);
      let isOver = false;
      const working = (async () => {
        while (!isOver) await work();
      })();
      beside.push((await search()).p99);
      isOver = true;
      await working;
    }
    const ratio = median(beside) / median(alone);
    const [first, second] = [`${median(beside)} ms`, `${median(alone)} ms`];
    return line(`Search p99 beside ${name}, to without`, first, second, ratio.toFixed(2), `at most ${MOST}`, ratio <= MOST);
  } finally {
    await load.stop();
  }
}
