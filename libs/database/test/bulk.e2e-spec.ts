import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { Deadline, WorkCancelled } from '@fibre/database';
import { sql, useCounterDatabase } from './counter-database.js';

const { connect } = useCounterDatabase();

const LONG_MS = 600_000;
const COPY_IN = 'copy counter from stdin';
const counters = sql('select id, value from counter order by id');
const statement = (query: string, values: unknown[] = []) => ({ name: 'spec', text: query, values });
/** Enough rows to overflow the buffers on the way. */
const ENDLESS = statement('select repeat($1, 1000) from generate_series(1, 1000000)', ['x']);

test('a bulk transaction with statements between its copies stores all rows or none', async () => {
  const database = await connect({ poolSize: 1 });
  const counted = await database.bulk(async ({ run, copyIn }) => {
    await copyIn(COPY_IN, Readable.from(['1\t1\n2\t2\n']));
    await run(sql('update counter set value = value + $1', 10));
    await copyIn(COPY_IN, Readable.from(['3\t3\n']));
    return (await run(counters)).length;
  }, LONG_MS);
  expect(counted).toBe(3);
  const failure = database.bulk(async ({ copyIn }) => {
    await copyIn(COPY_IN, Readable.from(['4\t4\n']));
    await copyIn(COPY_IN, Readable.from(['1\t1\n']));
  }, LONG_MS);
  await expect(failure).rejects.toMatchObject({ code: '23505' });
  await expect(database.run(counters)).resolves.toEqual([
    { id: 1, value: 11 },
    { id: 2, value: 12 },
    { id: 3, value: 3 },
  ]);
});

test('a statement copied out returns the same values as one with bound parameters', async () => {
  const database = await connect();
  const at = new Date('2026-02-01T16:00:14.305Z');
  const values = ["it's $2", 'a\\b', null, undefined, 7, true, at];
  const copied = await database.copyOut(
    statement(
      'select $1::text, $2::text, $3::text, $4::text, $5::int + 1, $6::boolean, $7::timestamptz = $7::timestamptz, $1 || $2',
      values,
    ),
    'format csv',
    (bytes) => text(bytes),
    LONG_MS,
  );
  expect(copied).toBe(`it's $2,a\\b,,,8,t,t,it's $2a\\b\n`);
});

test('the pool still works after a copy that is abandoned, rejected or too slow', async () => {
  const database = await connect({ poolSize: 1 });
  const givenUp = database.copyOut(ENDLESS, 'format csv', () => Promise.reject(new Error('changed my mind')), LONG_MS);
  await expect(givenUp).rejects.toThrow('changed my mind');
  const refused = database.copyOut(statement('select 1 / 0'), 'format csv', (bytes) => text(bytes), LONG_MS);
  await expect(refused).rejects.toMatchObject({ code: '22012' });
  await expect(database.copyOut(statement('select pg_sleep(300)'), 'format csv', (bytes) => text(bytes), 100)).rejects.toMatchObject({
    code: '57014',
  });
  await expect(database.run(counters)).resolves.toEqual([]);
});

test('when its request ends, a copy fails or completes, and its connection is soon free again', async () => {
  const database = await connect({ poolSize: 1 });
  for (let delay = 0; delay < 20; delay++) {
    const deadline = new Deadline();
    const copied = deadline.run(() =>
      database.copyOut(statement('select 1'), 'format csv', (bytes) => text(bytes), LONG_MS).catch((error: unknown) => error),
    );
    await sleep(delay / 4);
    deadline.end();
    const outcome = await copied;
    if (outcome !== '1\n') expect(outcome).toBeInstanceOf(WorkCancelled);
    const { totalCount, idleCount } = database.pools().get('primary')!;
    expect(idleCount).toBe(totalCount);
  }
});

test('a request that ends after its bulk work does not interrupt what its connection does next', async () => {
  const database = await connect({ poolSize: 1 });
  const deadline = new Deadline();
  await deadline.run(() => database.bulk(({ run }) => run(counters), LONG_MS));
  const next = database.run(statement('select pg_sleep(0.5)'));
  deadline.end();
  await expect(next).resolves.toHaveLength(1);
});

test('each kind of bulk work may use a quarter of the connections, and at least one; further work waits its turn', async () => {
  for (const [poolSize, most] of [
    [1, 1],
    [9, 2],
  ] as const) {
    const database = await connect({ poolSize });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const running = Array.from({ length: most }, () => database.bulk(() => held, LONG_MS));
    let hasBegun = false;
    const next = database.bulk(() => Promise.resolve((hasBegun = true)), LONG_MS);
    const impatient = new Deadline();
    impatient.allow(20);
    await expect(impatient.run(() => database.bulk(() => held, LONG_MS))).rejects.toBeInstanceOf(WorkCancelled);
    if (poolSize > 1)
      await expect(database.copyOut(statement('select 1'), 'format csv', (bytes: Readable) => text(bytes), LONG_MS)).resolves.toBe('1\n');
    expect(hasBegun).toBe(false);
    release();
    await Promise.all(running);
    await expect(next).resolves.toBe(true);
  }
});
