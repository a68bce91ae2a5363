import { setTimeout as sleep } from 'node:timers/promises';
import { TenantLimit } from './tenant-limit.js';

/** Work that runs until it is told to end. */
function work() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let hasBegun = false;
  const run = async (): Promise<string> => {
    hasBegun = true;
    await ended;
    return 'done';
  };
  return { run, end, hasBegun: () => hasBegun };
}

test('work of one tenant waits its turn, in order, while other tenants continue', async () => {
  const limit = new TenantLimit('test', 1, 60_000);
  const [first, second, third, other] = [work(), work(), work(), work()];
  const results = [limit.run('a', first.run), limit.run('a', second.run), limit.run('a', third.run)];
  const otherResult = limit.run('b', other.run);
  await sleep(1);
  expect([first, second, third, other].map(({ hasBegun }) => hasBegun())).toEqual([true, false, false, true]);
  other.end();
  expect(await otherResult).toBe('done');
  first.end();
  expect(await results[0]).toBe('done');
  await sleep(1);
  expect([second.hasBegun(), third.hasBegun()]).toEqual([true, false]);
  second.end();
  third.end();
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done']);
});

test('work that waits too long is rejected and never done, and the next work in the queue runs', async () => {
  const limit = new TenantLimit('test', 1, 20);
  const [first, late, next] = [work(), work(), work()];
  const running = limit.run('a', first.run);
  await expect(limit.run('a', late.run)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) as string } });
  first.end();
  await running;
  next.end();
  expect(await limit.run('a', next.run)).toBe('done');
  expect(late.hasBegun()).toBe(false);
});

test('failed work frees its slot', async () => {
  const limit = new TenantLimit('test', 1, 60_000);
  await expect(limit.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const next = work();
  next.end();
  expect(await limit.run('a', next.run)).toBe('done');
});
