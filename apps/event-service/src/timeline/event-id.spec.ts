import { validate, version } from 'uuid';
import { EventIds, leastIdAt, shardKeyInId } from './event-id.js';
import { shardKeyOf } from './shard-key.js';

test('an id is a UUIDv7 of its millisecond with the shard key in it', () => {
  const id = new EventIds(() => 0x0123_4567_89ab).next(0xfed);
  expect([validate(id), version(id), id.slice(0, 18)]).toEqual([true, 7, '01234567-89ab-7fed']);
  expect(['8', '9', 'a', 'b']).toContain(id[19]);
  expect(shardKeyInId(id)).toBe(0xfed);
  expect(shardKeyInId(id.toUpperCase())).toBe(0xfed);
});

test('ids ascend within a millisecond and when the clock steps back', () => {
  let now = 1_000_000;
  const ids = new EventIds(() => now);
  const made = [7, 7, 9, 3, 3, 4095, 0].map((shardKey) => ids.next(shardKey));
  now -= 10;
  made.push(ids.next(5));
  now += 50;
  made.push(ids.next(1));
  expect(made).toEqual([...made].sort());
  expect(new Set(made).size).toBe(made.length);
});

test('ids do not run ahead of the clock without bound', () => {
  const ids = new EventIds(() => 1_000_000);
  const made = Array.from({ length: 1_000 }, (_, index) => ids.next(4_000 - index));
  expect(made.every((id) => id < leastIdAt(1_000_000 + 30))).toBe(true);
  expect(new Set(made).size).toBe(made.length);
});

test('the least id of a millisecond is not above any id of it', () => {
  expect(leastIdAt(1_000_000) <= new EventIds(() => 1_000_000).next(0)).toBe(true);
  expect(leastIdAt(1_000_001) > new EventIds(() => 1_000_000).next(4_095)).toBe(true);
});

test('shard keys are what they were on the first day', () => {
  expect(shardKeyOf('00000000-0000-0000-0000-000000000000')).toBe(SHARD_KEY_OF_NIL);
  const keys = Array.from({ length: 20_000 }, (_, index) => shardKeyOf(`00000000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`));
  expect(Math.min(...keys)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...keys)).toBeLessThan(4_096);
  expect(new Set(keys).size).toBeGreaterThan(4_000);
});

/** printf 00000000-0000-0000-0000-000000000000 | sha256sum | cut -c1-3 */
const SHARD_KEY_OF_NIL = 0x12b;
