import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline } from '../connection/deadline.js';
import { Limit, type LimitOptions, type Share } from './limit.js';
import type { LimitReached } from './limit-reached.js';
import { Limits } from './limits.js';

const open: Share[] = [];
afterEach(() => open.splice(0).forEach((share) => share.close()));

/** Shares stay taken until a test closes them. */
function world(options: LimitOptions) {
  const limit = new Limit('tests', options);
  const taken: string[] = [];
  const refused: [string, string][] = [];
  const shares = new Map<string, Share>();
  const ask = (client: string, name = client): void => {
    const share = limit.ask(client);
    shares.set(name, share);
    open.push(share);
    if (share.isTaken) taken.push(name);
    else
      share.ready().then(
        () => share.isTaken && taken.push(name),
        (error: LimitReached) => refused.push([name, error.reason]),
      );
  };
  const close = async (name: string): Promise<void> => {
    shares.get(name)!.close();
    await sleep(0);
  };
  return { limit, taken, refused, ask, close };
}

const LONG_MS = 60_000;

test('what is above the limits is refused at once and counted', async () => {
  const { limit, taken, refused, ask, close } = world({ amount: 2, maxWaiting: 1, maxWaitMs: LONG_MS });
  for (const client of ['a', 'b', 'c', 'd']) ask(client);
  await sleep(0);
  expect([taken, refused]).toEqual([['a', 'b'], [['d', 'full']]]);
  expect([limit.used, limit.waiting, limit.refused]).toEqual([2, 1, { full: 1, timeout: 0 }]);
  for (const name of ['a', 'b', 'd']) await close(name);
  expect(taken).toEqual(['a', 'b', 'c']);
  expect([limit.used, limit.waiting]).toEqual([1, 0]);
});

test('one client gets at most half', () => {
  const { taken, ask } = world({ amount: 8, maxWaitMs: LONG_MS });
  for (let i = 0; i < 50; i++) ask('greedy');
  expect(taken).toEqual(Array<string>(4).fill('greedy'));
  for (const client of ['a', 'b', 'c', 'd', 'e']) ask(client);
  expect(taken.slice(4)).toEqual(['a', 'b', 'c', 'd']);
});

test('a client that has just had its turn does not get the next one before a client that waits', async () => {
  const { taken, ask, close } = world({ amount: 2, perClient: 1, maxWaitMs: LONG_MS });
  for (const client of ['a', 'b']) for (let i = 0; i < 3; i++) ask(client, `${client} ${i}`);
  await close('a 0');
  ask('modest');
  await close('a 1');
  expect(taken).toEqual(['a 0', 'b 0', 'a 1', 'modest']);
});

test('clients take turns in the queue, and a client with one request waits for one turn', async () => {
  const { taken, ask, close } = world({ amount: 2, maxWaitMs: LONG_MS });
  ask('x');
  ask('y');
  for (let i = 0; i < 20; i++) ask('greedy', `greedy ${i}`);
  ask('modest');
  for (const name of ['x', 'y', 'greedy 0']) await close(name);
  expect(taken).toEqual(['x', 'y', 'greedy 0', 'modest', 'greedy 1']);
});

test('what a large share gives back goes to as many small ones as have room', async () => {
  const limit = new Limit('tests', { perClient: 10, maxWaitMs: LONG_MS });
  const large = limit.ask('a', 10);
  const small = Array.from({ length: 4 }, () => limit.ask('a', 3));
  open.push(large, ...small);
  large.close();
  await Promise.all(small.slice(0, 3).map((share) => share.ready()));
  expect([limit.used, limit.waiting]).toEqual([9, 1]);
});

test('when the queue is full, the client with the most waiting requests makes room', async () => {
  const { refused, ask } = world({ amount: 1, maxWaiting: 4, maxWaitMs: LONG_MS });
  ask('first');
  for (let i = 0; i < 4; i++) ask('greedy', `greedy ${i}`);
  ask('modest');
  ask('greedy', 'greedy 4');
  await sleep(0);
  expect(refused.sort()).toEqual([
    ['greedy 3', 'full'],
    ['greedy 4', 'full'],
  ]);
});

test('nothing waits longer than the limit says, or at all if the limit does not say how long', async () => {
  const { limit, taken, refused, ask, close } = world({ amount: 1, maxWaitMs: 20 });
  for (const name of ['a', 'b']) ask(name);
  await sleep(40);
  expect(refused).toEqual([['b', 'timeout']]);
  await close('a');
  expect([taken, limit.used, limit.waiting]).toEqual([['a'], 0, 0]);
  const strict = world({ amount: 1 });
  for (const name of ['a', 'b']) strict.ask(name);
  await sleep(0);
  expect(strict.refused).toEqual([['b', 'full']]);
});

test.each(['waiting', 'taken', 'refused'])('a share that is %s is closed once, however often it is told to close', async (state) => {
  const { limit, taken, ask, close } = world({ amount: 1, maxWaiting: 1, maxWaitMs: LONG_MS });
  for (const name of ['first', 'next', 'late']) ask(name);
  const name = { waiting: 'next', taken: 'first', refused: 'late' }[state]!;
  for (let i = 0; i < 3; i++) await close(name);
  expect(limit.used).toBe(1);
  for (const each of ['first', 'next']) await close(each);
  expect([limit.used, limit.waiting]).toEqual([0, 0]);
  ask('again');
  expect(taken.at(-1)).toBe('again');
});

test('a share grows while there is room for its client, and gives everything back', () => {
  const limit = new Limit('bytes', { amount: 10 });
  const share = limit.ask('a', 0);
  expect([share.grow(3), share.grow(3), share.grow(2), limit.used]).toEqual([true, false, true, 5]);
  expect([limit.fits('a', 1), limit.fits('b', 5), limit.fits('b', 6)]).toEqual([false, true, false]);
  share.close();
  expect([limit.used, share.grow(1)]).toEqual([0, false]);
});

test('work of one client waits its turn, in order, while other clients continue; failed work gives its share back', async () => {
  const limit = new Limit('tests', { perClient: 1, maxWaitMs: LONG_MS });
  const order: string[] = [];
  const work = (name: string, ms: number) => async () => {
    order.push(name);
    await sleep(ms);
    if (name === 'fails') throw new Error('no');
  };
  const all = [limit.run('a', work('fails', 20)), limit.run('a', work('second', 0)), limit.run('b', work('other', 0))];
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect([order, limit.used]).toEqual([['fails', 'other', 'second'], 0]);
});

test('work does not wait beyond the deadline of its request, and is never done then', async () => {
  const limit = new Limit('tests', { amount: 1, maxWaitMs: LONG_MS });
  const held = limit.ask('a');
  const deadline = new Deadline();
  const late = deadline.run(() => limit.run('a', () => Promise.reject(new Error('done'))));
  deadline.end();
  await expect(late).rejects.toThrow('disconnected');
  held.close();
  expect([limit.used, limit.waiting]).toEqual([0, 0]);
});

test('work whose deadline has already ended does not wait at all', async () => {
  const limit = new Limit('tests', { amount: 1, maxWaitMs: LONG_MS });
  const held = limit.ask('a');
  const deadline = new Deadline();
  deadline.end();
  await expect(deadline.run(() => limit.run('a', () => Promise.resolve('done')))).rejects.toThrow('disconnected');
  expect(limit.waiting).toBe(0);
  held.close();
});

test('work takes the limits that it has declared, in this order, and no other', async () => {
  const [first, second, other] = ['first', 'second', 'other'].map((name) => new Limit(name, {})) as [Limit, Limit, Limit];
  const take = async (...limits: Limit[]): Promise<void> => {
    for (const limit of limits) await limit.run('a', () => Promise.resolve());
  };
  const declared = <T>(work: () => Promise<T>): Promise<T> => {
    const deadline = new Deadline();
    deadline.declare({ limits: ['first', 'second'] });
    return deadline.run(work);
  };
  await declared(() => take(first, first, second, second));
  await declared(() => take(second));
  await expect(declared(() => take(first, other))).rejects.toThrow('the work declares the limits [first, second], but takes other now');
  await expect(declared(() => take(second, first))).rejects.toThrow('but takes first now');
  await take(second, other, first);
  expect([first.used, second.used, other.used]).toEqual([0, 0, 0]);
});

test('work waits for locks only for as long as it has declared', () => {
  const deadline = new Deadline();
  expect(deadline.lockWaitMs).toBeUndefined();
  deadline.declare({ lockWaitMs: 1_000 });
  expect(deadline.lockWaitMs).toBe(1_000);
  deadline.declare({});
  expect(() => deadline.lockWaitMs).toThrow('does not declare');
});

test('two limits of one process have different names', () => {
  const limits = new Limits();
  limits.add('imports', {});
  expect(() => limits.add('imports', {})).toThrow('already');
  expect([...limits].map(({ name }) => name)).toEqual(['imports']);
});
