import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks at the server. */
const LOOK_MS = 500;
/** Milliseconds before each start of a server that does not live; after the last one it is given up. */
const PAUSES_MS = [0, 1_000, 5_000, 10_000, 30_000];
/** Milliseconds after which a server that was started again counts as living. */
const STEADY_MS = 2_000;

/** A server to watch; see `keepRunning`. */
export interface Watched {
  isRunning: () => boolean;
  /** False once it was stopped on purpose. */
  isWanted: () => boolean;
  start: () => Promise<void>;
  log: (line: string) => void;
  pausesMs?: readonly number[];
}

/** Starts a server again whenever it is gone, until nobody wants it or it does not live any more. Keeps no process alive. */
export async function keepRunning({ isRunning, isWanted, start, log, pausesMs = PAUSES_MS }: Watched): Promise<void> {
  let attempt = 0;
  let startedAt = 0;
  for (; isWanted(); await sleep(LOOK_MS, undefined, { ref: false })) {
    if (isRunning()) continue;
    if (Date.now() - startedAt > STEADY_MS) attempt = 0;
    const pause = pausesMs[attempt++];
    if (pause === undefined) return log(`PostgreSQL ended ${attempt} times in a row and is not started again`);
    await sleep(pause, undefined, { ref: false });
    try {
      await start();
    } catch (error) {
      log(`PostgreSQL ended and cannot be started again (attempt ${attempt} of ${pausesMs.length}): ${(error as Error).message}`);
    }
    startedAt = Date.now();
  }
}
