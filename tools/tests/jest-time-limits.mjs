// The runner of jest.preset.mjs has no time limits, so this file gives every test and every hook a time limit. The runner also runs the tests
// after a failed beforeAll; they would fail with errors that hide the reason, so they fail with the error of the hook instead.
import { availableParallelism, loadavg } from 'node:os';
import { clearTimeout, setTimeout } from 'node:timers';
import { addEventHandler } from 'jest-circus';

/** Multiplied by the load per processor. A test that needs longer sets its own limit and says why. */
const LIMIT_MS = 60_000;

addEventHandler((event, { currentDescribeBlock: block }) => {
  if (event.name === 'add_test') limit(block.children.at(-1), block, event.timeout);
  if (event.name === 'add_hook') limit(block.hooks.at(-1), block, event.timeout);
});

function limit(added, block, given) {
  const { fn, type } = added;
  added.fn = async () => {
    for (let each = block; type === 'test' && each; each = each.parent) if (each.failure) throw each.failure;
    const ms = given ?? LIMIT_MS * Math.max(1, Math.ceil(loadavg()[0] / availableParallelism()));
    let timer;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not done within ${ms / 1_000} s`)), ms);
    });
    try {
      await Promise.race([fn(), late]);
    } catch (error) {
      if (type === 'beforeAll') block.failure = error;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
