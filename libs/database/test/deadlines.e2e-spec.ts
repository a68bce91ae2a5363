import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline, type Database, WorkCancelled } from '@fibre/database';
import { find, sql, useCounterDatabase } from './counter-database.js';

const database = useCounterDatabase();
const forever = sql('select pg_sleep(300)');
const cancelled = (outcomeUnknown: boolean, reason = 'client-gone') => ({ name: 'WorkCancelled', reason, outcomeUnknown });

/** Work under a deadline that the test ends. */
function begin<T>(work: () => Promise<T>): { deadline: Deadline; ended: Promise<unknown> } {
  const deadline = new Deadline();
  return { deadline, ended: deadline.run(work).catch((error: unknown) => error) };
}
async function untilRunning(count: number): Promise<void> {
  for (;;) {
    const rows = await database.ask(
      `select from pg_stat_activity where query like '%pg_sleep(300)%' and state = 'active' and pid <> pg_backend_pid()`,
    );
    if (rows.length === count) return;
    await sleep(10);
  }
}
const pidOf = async (db: Database) => (await db.run<{ pid: number }>(sql('select pg_backend_pid() as pid')))[0]!.pid;

test('a statement whose work is over is cancelled on the server, and its connection serves the next one', async () => {
  const db = await database.connect({ poolSize: 1, statementTimeoutMs: 300_000 });
  const pid = await pidOf(db);
  const { deadline, ended } = begin(() => db.run(forever));
  await untilRunning(1);
  deadline.end('client-gone');
  expect(await ended).toMatchObject(cancelled(false));
  await untilRunning(0);
  expect(await pidOf(db)).toBe(pid);
});

test('the deadline ends it too, and the time that is allowed only grows', async () => {
  const db = await database.connect({ poolSize: 1, statementTimeoutMs: 300_000 });
  const { deadline, ended } = begin(() => db.run(forever));
  deadline.allow(300);
  deadline.allow(1);
  expect(await ended).toMatchObject(cancelled(false, 'deadline'));
  await untilRunning(0);
});

test('who waits for a connection leaves the queue, and the connection goes to the next one', async () => {
  const db = await database.connect({ poolSize: 1, statementTimeoutMs: 300_000, connectionWaitMs: 300_000 });
  const first = begin(() => db.run(forever));
  await untilRunning(1);
  const second = begin(() => db.run(find));
  const third = db.run(find);
  second.deadline.end('client-gone');
  expect(await second.ended).toMatchObject(cancelled(false));
  first.deadline.end('client-gone');
  await first.ended;
  await expect(third).resolves.toEqual([]);
});

test('a transaction whose work is over does nothing, in whatever statement it is met', async () => {
  const db = await database.connect({ poolSize: 1, statementTimeoutMs: 300_000 });
  const running = begin(() =>
    db.transaction(async (run) => {
      await run(sql('insert into counter values (1, 1)'));
      await run(forever);
    }),
  );
  await untilRunning(1);
  running.deadline.end('client-gone');
  expect(await running.ended).toMatchObject(cancelled(false));

  const committing = begin(() =>
    db.transaction(async (run) => {
      await run(sql('insert into counter values (2, 1)'));
      committing.deadline.end('client-gone');
    }),
  );
  expect(await committing.ended).toBeInstanceOf(WorkCancelled);
  expect(await database.ask('select * from counter')).toEqual([]);
});

test('a statement that is done before its cancellation is not undone, and nobody is told that it is', async () => {
  const db = await database.connect({ poolSize: 1 });
  const { deadline, ended } = begin(() => db.run(sql('insert into counter values (1, 1)')));
  deadline.end('client-gone');
  const outcome = await ended;
  const rows = await database.ask('select * from counter');
  if (rows.length > 0) expect(outcome).not.toMatchObject(cancelled(false));
  else expect(outcome).toMatchObject(cancelled(false));
});

test('two at once have two connections', async () => {
  const db = await database.connect({ poolSize: 2, statementTimeoutMs: 300_000 });
  const work = [begin(() => db.run(forever)), begin(() => db.run(forever))];
  await untilRunning(2);
  for (const { deadline, ended } of work) {
    deadline.end('client-gone');
    expect(await ended).toMatchObject(cancelled(false));
  }
});

test('work that is done is over for nobody: what listened is let go', () => {
  const deadline = new Deadline();
  const reasons: string[] = [];
  deadline.onEnd((reason) => reasons.push(reason));
  deadline.stop();
  deadline.end('client-gone');
  expect(reasons).toEqual([]);
});
