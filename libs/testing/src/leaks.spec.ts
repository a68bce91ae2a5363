import { setTimeout as sleep } from 'node:timers/promises';
import { watchTimers } from './leaks.js';

test('a timer that nobody stops is named, even if it does not keep the process alive', async () => {
  const left = watchTimers(100);
  const timer = setInterval(() => undefined, 1_000).unref();
  await expect(left()).resolves.toEqual(['a timer of 1000 ms']);
  clearInterval(timer);
});

test('a timer that is stopped soon is no leak', async () => {
  const left = watchTimers();
  const timer = setTimeout(() => undefined, 30_000);
  const [leaks] = await Promise.all([left(), sleep(50).then(() => clearTimeout(timer))]);
  expect(leaks).toEqual([]);
});

test('nobody waits for the time limit of a signal, which cannot be stopped', async () => {
  const left = watchTimers(0);
  AbortSignal.timeout(30_000);
  await expect(left()).resolves.toEqual([]);
});
