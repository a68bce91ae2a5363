import { RequestCosts } from './request-costs.js';

const costsAfter = (slots: number, ...durations: number[]): RequestCosts => {
  const costs = new RequestCosts(slots);
  for (const ms of durations) costs.note('a', ms);
  costs.note('rival', 1);
  return costs;
};
const times = (count: number, ms: number): number[] => Array<number>(count).fill(ms);

test.each([
  ['no request yet', 16, [], 8],
  ['cheap requests', 16, times(50, 10), 8],
  ['requests of 40 ms', 16, times(50, 40), 4],
  ['requests of 80 ms', 16, times(50, 80), 2],
  ['requests of a minute', 16, times(50, 60_000), 2],
  ['one export after cheap requests', 16, [...times(50, 10), 60_000], 2],
  ['twenty cheap requests after an export', 16, [60_000, ...times(20, 10)], 8],
  ['cheap requests on a small service', 4, times(50, 10), 2],
  ['expensive requests on the smallest service', 1, times(50, 400), 1],
])('the slots of a client after %s', (_what, slots, durations, expected) => {
  expect(costsAfter(slots, ...durations).slotsOf('a')).toBe(expected);
});

test('a client that is alone keeps its half, however long its requests take, until another client comes', () => {
  const costs = new RequestCosts(16);
  for (const ms of times(50, 400)) costs.note('a', ms);
  expect(costs.slotsOf('a')).toBe(8);
  costs.note('b', 1);
  expect([costs.slotsOf('a'), costs.slotsOf('b')]).toEqual([2, 8]);
  costs.note('a', 400);
  expect(costs.slotsOf('a')).toBe(2);
});

test.each([
  ['cheap', times(50, 10), 10, 0],
  ['expensive', times(50, 40), 40, 40],
  ['very long', times(50, 60_000), 60_000, 100],
])('how long the slot stays taken after a request of a client whose requests are %s', (_what, durations, ms, expected) => {
  const costs = costsAfter(16, ...durations);
  expect(costs.note('a', ms)).toBe(expected);
});

test('the slot of a client that is alone is free at once', () => {
  const costs = new RequestCosts(16);
  expect(times(50, 400).map((ms) => costs.note('a', ms))).toEqual(times(50, 0));
});

test('clients do not change the slots of each other, and the one that was idle longest is forgotten', () => {
  const costs = costsAfter(16, ...times(50, 400));
  expect(costs.slotsOf('b')).toBe(8);
  for (let client = 0; client < 1_000; client++) costs.note(String(client), 1);
  expect(costs.slotsOf('a')).toBe(8);
});
