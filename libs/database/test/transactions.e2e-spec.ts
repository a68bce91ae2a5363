import { Readable } from 'node:stream';
import { ContentionError, MAX_TRANSACTION_ATTEMPTS } from '@fibre/database';
import { find, sql, useCounterDatabase } from './counter-database.js';

const { connect } = useCounterDatabase();

/** Releases all callers once `count` of them have arrived; later ones pass. */
function barrier(count: number): () => Promise<void> {
  let release: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (release = resolve));
  return async () => {
    if (--count <= 0) release();
    await all;
  };
}

test('a transaction commits when its work returns, and rolls back when its work throws', async () => {
  const database = await connect({ poolSize: 1 });
  await expect(
    database.transaction(async (run) => (await run(sql('insert into counter values (1, 1) returning value')))[0]),
  ).resolves.toEqual({ value: 1 });
  const failure = database.transaction(async (run) => {
    await run(sql('insert into counter values (2, 2)'));
    throw new Error('changed my mind');
  });
  await expect(failure).rejects.toThrow('changed my mind');
  await expect(database.run(sql('select id from counter'))).resolves.toEqual([{ id: 1 }]);
});

test('concurrent increments under repeatable read (40001) are all counted', async () => {
  const database = await connect();
  await database.run(sql('insert into counter values (1, 0)'));
  const together = barrier(5);
  let attempts = 0;
  const increment = () =>
    database.transaction(async (run) => {
      attempts++;
      await run(sql('set transaction isolation level repeatable read'));
      const [row] = await run<{ value: number }>(find);
      await together();
      await run(sql('update counter set value = $1 where id = 1', (row?.value ?? NaN) + 1));
    });
  await Promise.all(Array.from({ length: 5 }, increment));
  await expect(database.run(find)).resolves.toEqual([{ value: 5 }]);
  expect(attempts).toBeGreaterThan(5);
});

test('the loser of a deadlock (40P01) runs again', async () => {
  const database = await connect();
  await database.run(sql('insert into counter values (1, 0), (2, 0)'));
  const together = barrier(2);
  let attempts = 0;
  const bump = (first: number, second: number) =>
    database.transaction(async (run) => {
      attempts++;
      await run(sql('update counter set value = value + 1 where id = $1', first));
      await together();
      await run(sql('update counter set value = value + 1 where id = $1', second));
    });
  await Promise.all([bump(1, 2), bump(2, 1)]);
  await expect(database.run(sql('select value from counter order by id'))).resolves.toEqual([{ value: 2 }, { value: 2 }]);
  // The loser may conflict with the other transaction again.
  expect(attempts).toBeGreaterThanOrEqual(3);
});

test('a transaction that always conflicts ends with a ContentionError', async () => {
  const database = await connect();
  let attempts = 0;
  const failure = await database
    .transaction(async (run) => {
      attempts++;
      await run(sql(`do $$ begin raise exception 'met' using errcode = '40001'; end $$`));
    })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ContentionError);
  expect(failure).toMatchObject({ attempts: MAX_TRANSACTION_ATTEMPTS, cause: { code: '40001' } });
  expect(attempts).toBe(MAX_TRANSACTION_ATTEMPTS);
});

test('another SQLSTATE is retried only on request', async () => {
  const database = await connect();
  await database.run(sql('insert into counter values (1, 1)'));
  let id = 0;
  const insertNext = () =>
    database.transaction((run) => run(sql('insert into counter values ($1, 0) returning id', ++id)), { retryOn: ['23505'] });
  await expect(insertNext()).resolves.toEqual([{ id: 2 }]);
  id = 0;
  await expect(database.transaction((run) => run(sql('insert into counter values ($1, 0)', ++id)))).rejects.toMatchObject({
    code: '23505',
  });
  expect(id).toBe(1);
});

test('a transaction that ignores a failed statement does not count as committed', async () => {
  const database = await connect();
  const hiding = database.transaction(async (run) => {
    await run(sql('insert into counter values (1, 1)'));
    await run(sql('select 1 / 0')).catch(() => undefined);
  });
  await expect(hiding).rejects.toThrow('rolled back because one of its statements failed');
  await expect(database.run(sql('select id from counter'))).resolves.toEqual([]);
});

test('of two statements at once, the second is refused if the first has ended the transaction', async () => {
  const database = await connect({ poolSize: 1 });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let late: Promise<unknown> | undefined;
  const failure = database.transaction((run) => {
    late = held.then(() => run(sql('insert into counter values (1, 1)')));
    return Promise.all([run(sql('select 1 / 0')), late]);
  });
  await expect(failure).rejects.toMatchObject({ code: '22012' });
  // Another transaction now has the connection.
  await database.transaction(async (run) => {
    release();
    await expect(late).rejects.toThrow('the transaction has ended');
    await expect(run(sql('select id from counter'))).resolves.toEqual([]);
  });
});

test('a statement that nobody awaited is refused once the transaction has committed', async () => {
  const database = await connect({ poolSize: 1 });
  const run = await database.transaction((open) => Promise.resolve(open));
  await expect(run(sql('insert into counter values (1, 1)'))).rejects.toThrow('the transaction has ended');
  await expect(database.run(sql('select id from counter'))).resolves.toEqual([]);
});

test('once bulk work has ended, its other statements and copies are refused', async () => {
  const database = await connect({ poolSize: 1 });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let late: Promise<unknown>[] = [];
  const failure = database.bulk(async ({ run, copyIn }) => {
    late = [
      held.then(() => run(sql('insert into counter values (1, 1)'))),
      held.then(() => copyIn('copy counter from stdin', Readable.from(['2\t2\n']))),
    ];
    await Promise.all([run(sql('select 1 / 0')), ...late]);
  }, 60_000);
  await expect(failure).rejects.toMatchObject({ code: '22012' });
  release();
  for (const one of late) await expect(one).rejects.toThrow('the transaction has ended');
  await expect(database.run(sql('select id from counter'))).resolves.toEqual([]);
});
