import { RequestCosts } from './request-costs.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A client has sent requests so that it kept so many slots busy. */
function send(costs: RequestCosts, client: string, slots: number, durations: readonly number[]): number[] {
  return durations.map((ms) => {
    jest.advanceTimersByTime(ms / slots);
    return costs.note(client, ms);
  });
}
const costsAfter = (slots: number, busy: number, durations: readonly number[]): RequestCosts => {
  const costs = new RequestCosts(slots);
  costs.note('rival', 1);
  send(costs, 'a', busy, durations);
  costs.note('rival', 1);
  return costs;
};
const times = (count: number, ms: number): number[] => Array<number>(count).fill(ms);

test.each([
  ['no request yet', 16, 4, [], 8],
  ['cheap requests', 16, 4, times(800, 10), 8],
  ['requests of 40 ms', 16, 4, times(200, 40), 4],
  ['requests of 40 ms that keep one slot busy', 16, 1, times(200, 40), 8],
  ['requests of 80 ms', 16, 4, times(200, 80), 2],
  ['requests of a minute', 16, 4, times(50, 60_000), 2],
  ['one export after cheap requests', 16, 1, [...times(50, 10), 60_000], 2],
  ['twenty cheap requests after an export', 16, 1, [60_000, ...times(20, 10)], 8],
  ['cheap requests on a small service', 4, 2, times(800, 10), 2],
  ['expensive requests on the smallest service', 1, 4, times(50, 400), 1],
])('the slots of a client after %s', (_what, slots, busy, durations, expected) => {
  expect(costsAfter(slots, busy, durations).slotsOf('a')).toBe(expected);
});

test('a client that is alone keeps its half, however long its requests take, until another client comes', () => {
  const costs = new RequestCosts(16);
  expect(send(costs, 'a', 8, times(50, 400))).toEqual(times(50, 0));
  expect(costs.slotsOf('a')).toBe(8);
  costs.note('b', 1);
  expect([costs.slotsOf('a'), costs.slotsOf('b')]).toEqual([2, 8]);
});

test.each([
  ['cheap', 4, times(800, 10), 0],
  ['expensive', 4, times(200, 40), 40],
  ['expensive, but one after the other', 1, times(200, 40), 0],
  ['very long', 4, times(200, 1_000), 100],
])('how long the slot stays taken after a request of a client whose requests are %s', (_what, busy, durations, expected) => {
  const costs = costsAfter(16, busy, durations);
  expect(costs.note('a', durations[0]!)).toBe(expected);
});

test('a client that was idle for ten seconds has its half again', () => {
  const costs = costsAfter(16, 4, times(200, 80));
  jest.advanceTimersByTime(10_000);
  costs.note('rival', 1);
  expect(costs.slotsOf('a')).toBe(8);
});

test('clients do not change the slots of each other, and the one that was idle longest is forgotten', () => {
  const costs = costsAfter(16, 4, times(200, 80));
  expect(costs.slotsOf('b')).toBe(8);
  for (let client = 0; client < 1_000; client++) costs.note(String(client), 1);
  expect(costs.slotsOf('a')).toBe(8);
});

test('requests count while they run, and so does the client that sends them', () => {
  const costs = new RequestCosts(16);
  const running = times(8, 0).map(() => costs.begin('a'));
  jest.advanceTimersByTime(1_000);
  expect(costs.slotsOf('a')).toBe(8);
  costs.begin('b');
  expect([costs.slotsOf('a'), costs.slotsOf('b')]).toEqual([2, 8]);
  expect(costs.end(running[0]!)).toBe(100);
});

test('one request that runs for ever takes no slots away', () => {
  const costs = new RequestCosts(16);
  costs.begin('a');
  jest.advanceTimersByTime(600_000);
  costs.begin('b');
  expect(costs.slotsOf('a')).toBe(8);
});

test('a failed request counts if it took long, and never makes the average smaller', () => {
  const costs = costsAfter(16, 4, times(200, 80));
  for (let count = 0; count < 100; count++) costs.note('a', 1, true);
  costs.note('rival', 1);
  expect(costs.slotsOf('a')).toBe(2);
  const failing = new RequestCosts(16);
  for (let count = 0; count < 50; count++) failing.note('a', 400, true);
  failing.note('rival', 1);
  expect(failing.slotsOf('a')).toBe(2);
});

test('a request that has ended twice counts once', () => {
  const costs = new RequestCosts(16);
  const request = costs.begin('a');
  jest.advanceTimersByTime(50_000);
  costs.note('rival', 1);
  expect([costs.end(request) > 0, costs.end(request)]).toEqual([false, 0]);
});
