import { setImmediate as tick } from 'node:timers/promises';
import { inParallel } from './in-parallel.js';

it('does every item once, never more than the width at a time', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await inParallel(Array(20).keys(), 3, async (item) => {
    most = Math.max(most, ++running);
    await tick();
    running -= 1;
    done.push(item);
  });

  expect(done.sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
  expect(most).toBe(3);
});

it('begins nothing after a failure, awaits what is under way and reports the first', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = inParallel(Array(20).keys(), 3, async (item) => {
    begun.push(item);
    await tick();
    if (item === 1) throw new Error('the second fails');
    await tick();
    ended.push(item);
  });

  await expect(work).rejects.toThrow('the second fails');
  expect(begun).toEqual([0, 1, 2]);
  expect(ended).toEqual([0, 2]);
});
