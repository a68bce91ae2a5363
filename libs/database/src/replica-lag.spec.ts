import { ReplicaLag } from './replica-lag.js';

const SECOND = 1_000;

test('a replica that has all there is has no lag, however long nothing was written', () => {
  const lag = new ReplicaLag();
  expect(lag.at(5 * SECOND)).toBe(0);
  for (let second = 0; second < 100; second++) {
    lag.primaryAt(500, second * SECOND);
    lag.replicaAt(500);
    expect(lag.at(second * SECOND)).toBe(0);
  }
});

test('the lag of one that stands still grows with the time since the primary was where it stands, and ends when it has caught up', () => {
  const lag = new ReplicaLag();
  lag.primaryAt(500, 0);
  lag.replicaAt(500);
  for (let second = 1; second <= 20; second++) {
    lag.primaryAt(500 + second, second * SECOND);
    lag.replicaAt(500);
    expect(lag.at(second * SECOND)).toBe(second * SECOND);
  }
  lag.replicaAt(515);
  expect(lag.at(20 * SECOND)).toBe(5 * SECOND);
  lag.replicaAt(520);
  expect(lag.at(20 * SECOND)).toBe(0);
});

test('many questions leave few samples, and the newest among them', () => {
  const lag = new ReplicaLag();
  for (let ms = 0; ms <= 10 * SECOND; ms++) lag.primaryAt(ms, ms);
  lag.replicaAt(7_300);
  expect(lag.at(10 * SECOND)).toBeGreaterThanOrEqual(2_700);
  expect(lag.at(10 * SECOND)).toBeLessThan(4_700);
  lag.replicaAt(10 * SECOND);
  expect(lag.at(10 * SECOND)).toBe(0);
});

test('what stands still for a day takes no more memory, and its lag is still known', () => {
  const lag = new ReplicaLag();
  const day = 86_400 * SECOND;
  for (let at = 0; at <= day; at += SECOND) lag.primaryAt(at, at);
  lag.replicaAt(0);
  expect(lag.at(day)).toBe(day);
  lag.replicaAt(day);
  expect(lag.at(day)).toBe(0);
});

test('while the primary is away, what it had last acknowledged within the time is enough', () => {
  const lag = new ReplicaLag();
  for (let second = 0; second <= 10; second++) lag.primaryAt(second, second * SECOND);
  lag.replicaAt(10);
  expect(lag.positionAt(5 * SECOND)).toBe(10);
  expect(lag.at(17 * SECOND)).toBe(7 * SECOND);
  expect(lag.positionAt(11 * SECOND)).toBeUndefined();
});

test('a primary that goes on from an earlier place in the log is the measure from then on', () => {
  const lag = new ReplicaLag();
  lag.primaryAt(900, 0);
  lag.replicaAt(700);
  lag.primaryAt(800, 60 * SECOND);
  lag.replicaAt(800);
  expect(lag.at(60 * SECOND)).toBe(0);
});
