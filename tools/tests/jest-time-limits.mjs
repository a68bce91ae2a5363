// The runner of jest.preset.mjs has no time limits, so this file gives every test and hook one.
import { availableParallelism, loadavg } from 'node:os';
import { clearTimeout, setTimeout } from 'node:timers';
import { addEventHandler } from 'jest-circus';

/** Multiplied by the load per processor. A test that needs longer sets its own limit and says why. */
const LIMIT_MS = 60_000;

addEventHandler((event, { currentDescribeBlock: { children, hooks } }) => {
  if (event.name === 'add_test') limit(children.at(-1), event.timeout);
  if (event.name === 'add_hook') limit(hooks.at(-1), event.timeout);
});

function limit(added, given) {
  const { fn } = added;
  added.fn = async () => {
    const ms = given ?? LIMIT_MS * Math.max(1, Math.ceil(loadavg()[0] / availableParallelism()));
    let timer;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not done within ${ms / 1_000} s`)), ms);
    });
    try {
      await Promise.race([fn(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
