import { validate, version } from 'uuid';
import { EventIds, leastIdAt, shardKeyInId, shardKeyOf } from './event-id.js';

const HOUR_MS = 3_600_000;

/** Makes ids with two clocks that the test controls: a system clock that it can set, and a monotonic clock. */
function idsAt(start: number) {
  let [system, elapsed] = [start, 0];
  const ids = new EventIds(() => elapsed);
  return {
    next: (shardKey: number) => ids.next(shardKey, new Date(system)),
    follow: (id: string) => ids.follow(id),
    pass: (ms: number) => ([system, elapsed] = [system + ms, elapsed + ms]),
    set: (ms: number) => (system += ms),
    now: () => system,
  };
}

const msOf = (id: string): number => parseInt(id.replaceAll('-', '').slice(0, 12), 16);
const someShardKey = (index: number): number => shardKeyOf(String(index));

test('an id is a UUIDv7 that contains its millisecond and the shard key', () => {
  const id = idsAt(0x0123_4567_89ab).next(0xfed);
  expect([validate(id), version(id), id.slice(0, 18)]).toEqual([true, 7, '01234567-89ab-7fed']);
  expect(['8', '9', 'a', 'b']).toContain(id[19]);
  expect(shardKeyInId(id)).toBe(0xfed);
  expect(shardKeyInId(id.toUpperCase())).toBe(0xfed);
});

test.each([-1, -10, -HOUR_MS, -400 * 24 * HOUR_MS])('ids ascend when the clock is moved by %d ms', (step) => {
  const clock = idsAt(Date.UTC(2026, 1, 1));
  const made = [7, 7, 9, 3, 3, 4095, 0].map((shardKey) => clock.next(shardKey));
  clock.set(step);
  for (let index = 0; index < 2_000; index++) {
    made.push(clock.next(someShardKey(index)));
    clock.pass(1);
  }
  expect(made).toEqual([...made].sort());
  expect(new Set(made).size).toBe(made.length);
  // The times in the ids advance as fast as the clock, not by one millisecond per id.
  expect(msOf(made.at(-1)!) - msOf(made[0]!)).toBeLessThan(2_100);
});

test('ids follow a clock that is set forward', () => {
  const clock = idsAt(1_000_000);
  clock.next(1);
  clock.set(HOUR_MS);
  expect(msOf(clock.next(1))).toBe(1_000_000 + HOUR_MS);
});

test('no id has a time before that of the service, whatever the clocks do', () => {
  const clock = idsAt(1_000_000.7);
  for (let index = 0; index < 1_000; index++) {
    expect(msOf(clock.next(someShardKey(index)))).toBeGreaterThanOrEqual(Math.floor(clock.now()));
    clock.pass(0.1 + (index % 7) / 3);
    if (index % 10 === 0) clock.set((index % 30) - 15);
  }
});

test('in a burst, ids run only a few milliseconds ahead of the clock, and their milliseconds never decrease', () => {
  const clock = idsAt(1_000_000);
  const made = Array.from({ length: 10_000 }, (_, index) => {
    clock.pass(0.1);
    return { id: clock.next(someShardKey(index)), now: clock.now() };
  });
  for (const [index, { id, now }] of made.entries()) {
    expect(msOf(id) - now).toBeLessThanOrEqual(21);
    if (index > 0) expect(msOf(id)).toBeGreaterThanOrEqual(msOf(made[index - 1]!.id));
  }
  expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
});

test('ids continue after an id from another process, even if its clock was ahead', () => {
  const clock = idsAt(1_000_000);
  const other = idsAt(1_000_000 + HOUR_MS).next(4_095);
  clock.follow(other);
  const made = Array.from({ length: 10 }, () => clock.next(0));
  expect([other, ...made]).toEqual([other, ...made].sort());
  clock.follow(idsAt(999_000).next(1));
  expect(clock.next(0) > made.at(-1)!).toBe(true);
});

test('the smallest id of a millisecond is not greater than any other id of that millisecond', () => {
  expect(leastIdAt(1_000_000) <= idsAt(1_000_000).next(0)).toBe(true);
  expect(leastIdAt(1_000_001) > idsAt(1_000_000).next(4_095)).toBe(true);
});

test('shard keys never change', () => {
  expect(shardKeyOf('00000000-0000-0000-0000-000000000000')).toBe(SHARD_KEY_OF_NIL);
  const keys = Array.from({ length: 20_000 }, (_, index) => shardKeyOf(`00000000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`));
  expect(Math.min(...keys)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...keys)).toBeLessThan(4_096);
  expect(new Set(keys).size).toBeGreaterThan(4_000);
});

/** printf 00000000-0000-0000-0000-000000000000 | sha256sum | cut -c1-3 */
const SHARD_KEY_OF_NIL = 0x12b;
