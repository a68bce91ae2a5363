// Keeps doing some work until it is stopped.
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @param works functions that each send a request; each is called again some time after its response
 * @returns a function that stops them all
 */
export function repeat(works, pauseMs) {
  let goesOn = true;
  const running = Promise.all(
    works.map(async (work) => {
      for (; goesOn; await sleep(pauseMs)) await work();
    }),
  );
  return () => {
    goesOn = false;
    return running;
  };
}
