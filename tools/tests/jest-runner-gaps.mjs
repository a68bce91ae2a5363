// What the runner of jest.preset.mjs lacks: a time limit for each test and hook, and a stop after a failed beforeAll. Without the stop, the
// tests would run and fail with errors that hide the reason; here they fail with the error of the hook. A warning of Node.js (a leaked
// listener, a deprecated call) fails the test in which it appears, except that a test may use what is experimental. A property is checked as
// often as the volume says.
import { availableParallelism, loadavg } from 'node:os';
import { clearTimeout, setTimeout } from 'node:timers';
import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import { addEventHandler } from 'jest-circus';

/** Multiplied by the load per processor. A test that needs longer sets its own limit and says why. */
const LIMIT_MS = 60_000;

fc.configureGlobal({ numRuns: volume(50, 100, 1_000) });

const warnings = [];
process.on('warning', (warning) => warning.name !== 'ExperimentalWarning' && warnings.push(warning));

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
      timer.isTestLimit = true;
    });
    try {
      await Promise.race([fn(), late]);
      if (warnings.length > 0) throw warnings.shift();
    } catch (error) {
      if (type === 'beforeAll') block.failure = error;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
