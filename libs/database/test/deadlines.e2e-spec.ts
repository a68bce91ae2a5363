import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline, isOutcomeUnknown, isTimeout, WorkCancelled } from '@fibre/database';
import { find, sql, useCounterDatabase } from './counter-database.js';
import { startSilentRelay } from './connections/silent-relay.js';

const database = useCounterDatabase();
const forever = sql('select pg_sleep(300)');
const insert = (id: number) => sql('insert into counter values ($1, 1)', id);
const LONG_MS = 300_000;

/** Starts `work` under a deadline that the test controls. */
function begin<T>(work: () => Promise<T>): { deadline: Deadline; ended: Promise<unknown> } {
  const deadline = new Deadline();
  return { deadline, ended: deadline.run(work).catch((error: unknown) => error) };
}
const counters = () => database.ask('select id from counter order by id');

test('a running statement ends at its own timeout, not at the deadline; after the deadline, no other statement is sent', async () => {
  const db = await database.connect({ poolSize: 1, statementTimeoutMs: 500 });
  const { deadline, ended } = begin(() => db.run(forever));
  deadline.allow(50);
  expect(isTimeout(await ended)).toBe(true);
  await expect(deadline.run(() => db.run(insert(1)))).rejects.toMatchObject({ name: 'WorkCancelled' });
  expect(await counters()).toEqual([]);
});

test('the allowed time can only grow', async () => {
  const deadline = new Deadline();
  deadline.allow(300);
  deadline.allow(1);
  await sleep(100);
  expect(() => deadline.check()).not.toThrow();
  deadline.end();
  expect(() => deadline.check()).toThrow('disconnected');
});

test('an operation that declares less time than is usual has the usual time', async () => {
  const deadline = new Deadline(LONG_MS);
  deadline.declare({ timeLimitMs: 1 });
  deadline.start();
  await sleep(50);
  expect(() => deadline.check()).not.toThrow();
  deadline.stop();
});

test('a request that stops waiting for a connection leaves the queue, and the connection goes to the next request', async () => {
  const db = await database.connect({ poolSize: 1, connectionWaitMs: LONG_MS });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const first = db.transaction(() => held);
  const second = begin(() => db.run(find));
  const third = db.run(find);
  second.deadline.end();
  expect(await second.ended).toMatchObject({ name: 'WorkCancelled' });
  release();
  await first;
  await expect(third).resolves.toEqual([]);
});

test('a transaction sends no statement and does not commit after its request has ended', async () => {
  const db = await database.connect({ poolSize: 1 });
  const running = begin(() =>
    db.transaction(async (run) => {
      await run(insert(1));
      running.deadline.end();
      await run(insert(2));
    }),
  );
  expect(await running.ended).toBeInstanceOf(WorkCancelled);
  const committing = begin(() =>
    db.transaction(async (run) => {
      await run(insert(3));
      committing.deadline.end();
    }),
  );
  expect(await committing.ended).toBeInstanceOf(WorkCancelled);
  expect(await counters()).toEqual([]);
  expect(db.pools().get('primary')).toMatchObject({ totalCount: 1, idleCount: 1 });
});

test('finished work drops its listeners', () => {
  const deadline = new Deadline();
  let ended = false;
  deadline.onEnd(() => (ended = true));
  deadline.stop();
  deadline.end();
  expect(ended).toBe(false);
});

test.each([
  ['a statement on its own', 'insert into counter', true],
  ['a commit', 'commit', true],
  ['a statement of a transaction', 'insert into counter', false],
  ['the beginning of a transaction', 'begin', false],
])(
  'if the network drops the response to %s, the wait ends, and the error says whether the outcome is unknown',
  async (what, text, unknown) => {
    const relay = await startSilentRelay(database.direct().url, text);
    // The client waits five seconds longer than a statement may run.
    const db = await database.connect({ url: relay.url, poolSize: 1, statementTimeoutMs: 100 });
    const work = what === 'a statement on its own' ? db.run(insert(1)) : db.transaction((run) => run(insert(1)));
    const error = await work.catch((failure: unknown) => failure);
    expect((error as Error).message).toBe('Query read timeout');
    expect(isOutcomeUnknown(error)).toBe(unknown);
    await expect(db.run(find)).resolves.toEqual([]);
    relay.stop();
  },
);
