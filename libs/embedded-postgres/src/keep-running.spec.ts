import { keepRunning } from './keep-running.js';

const PAUSES_MS = [0, 1, 1];

test('a server that never lives is given up, and the log says so', async () => {
  const lines: string[] = [];
  let starts = 0;
  const start = async () => {
    starts++;
    await Promise.reject(new Error('no space left'));
  };
  await keepRunning({ isRunning: () => false, isWanted: () => true, start, log: (line) => lines.push(line), pausesMs: PAUSES_MS });
  expect(starts).toBe(PAUSES_MS.length);
  expect(lines[0]).toBe('PostgreSQL ended and cannot be started again (attempt 1 of 3): no space left');
  expect(lines.at(-1)).toBe('PostgreSQL ended 4 times in a row and is not started again');
});

test('a server that nobody wants any more is left alone', async () => {
  let starts = 0;
  await keepRunning({ isRunning: () => false, isWanted: () => false, start: () => Promise.resolve(void starts++), log: () => undefined });
  expect(starts).toBe(0);
});
