// The runner of jest.preset.mjs knows no time limits: this gives every test and every hook one.
import { clearTimeout, setTimeout } from 'node:timers';
import { addEventHandler } from 'jest-circus';

/** Long enough for the crash tests on a busy machine. */
const LIMIT_MS = 300_000;

addEventHandler((event, { currentDescribeBlock: { children, hooks } }) => {
  if (event.name === 'add_test') limit(children.at(-1), event.timeout);
  if (event.name === 'add_hook') limit(hooks.at(-1), event.timeout);
});

function limit(added, ms = LIMIT_MS) {
  const { fn } = added;
  added.fn = async () => {
    let timer;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not done within ${ms / 1_000} s`)), ms);
    });
    await Promise.race([fn(), late]).finally(() => clearTimeout(timer));
  };
}
