import { setTimeout as sleep } from 'node:timers/promises';
import { isOutcomeUnknown } from '@fibre/database';
import { sql, useCounterDatabase } from '../counter-database.js';

const { ask, connect, direct } = useCounterDatabase();

/** Longer than any test takes. */
const LONG_MS = 1_800_000;
const self = sql('select pg_backend_pid() as pid');
const terminate = (pid: unknown) => ask('select pg_terminate_backend($1, $2)', [pid, LONG_MS]);

test('the pool replaces an idle connection that the server ended', async () => {
  const database = await connect({ ...direct(), poolSize: 1 });
  const [row] = await database.run(self);
  await terminate(row?.pid);
  while (database.pools().get('primary')?.idleCount !== 0) await sleep(10);
  const [next] = await database.run(self);
  expect(next?.pid).not.toBe(row?.pid);
});

test('a statement fails if its connection is terminated, and the next statement works', async () => {
  const database = await connect({ poolSize: 1, statementTimeoutMs: LONG_MS });
  const [row] = await database.run(self);
  const sleeping = database.run(sql('select pg_sleep($1)', LONG_MS / 1_000)).catch((error: unknown) => error);
  while ((await ask(`select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`, [row?.pid])).length === 0);
  await terminate(row?.pid);
  const error = await sleeping;
  expect(error).toMatchObject({ code: '57P01' });
  expect(isOutcomeUnknown(error)).toBe(true);
  await expect(database.ping()).resolves.toBeUndefined();
});

test('a transaction whose connection is ended between two statements fails, and the next transaction works', async () => {
  const database = await connect({ poolSize: 1 });
  const broken = database.transaction(async (run) => {
    const [row] = await run(self);
    await terminate(row?.pid);
    await run(self);
  });
  const error = await broken.catch((failure: unknown) => failure);
  expect((error as Error).message).toMatch(/not queryable|terminat/);
  expect(isOutcomeUnknown(error)).toBe(false);
  await expect(database.transaction((run) => run(sql('select 1 as one')))).resolves.toEqual([{ one: 1 }]);
});
