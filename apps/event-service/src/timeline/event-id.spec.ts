import { leastIdAt, shardKeyInId, shardKeyOf } from './event-id.js';

/** printf 00000000-0000-0000-0000-000000000000 | sha256sum | cut -c1-3 */
const SHARD_KEY_OF_NIL = 0x12b;

test('shard keys never change', () => {
  expect(shardKeyOf('00000000-0000-0000-0000-000000000000')).toBe(SHARD_KEY_OF_NIL);
  const keys = Array.from({ length: 20_000 }, (_, index) => shardKeyOf(`00000000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`));
  expect(Math.min(...keys)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...keys)).toBeLessThan(4_096);
  expect(new Set(keys).size).toBeGreaterThan(4_000);
});

test('an id names its shard, and no id of a millisecond is less than its least one', () => {
  expect(shardKeyInId('01920000-0000-7abc-8000-000000000001')).toBe(0xabc);
  expect(leastIdAt(0x0192_0000_0001)).toBe('01920000-0001-7000-8000-000000000000');
  expect(leastIdAt(-1)).toBe('00000000-0000-7000-8000-000000000000');
});
