import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Machine } from './machine.js';

type Found = [what: string, isNamed: boolean, said: string];

/** Plants one fault after the other, and runs the drill: it must fail with a sentence that names the fault. */
export async function plantedFaults(machine: Machine): Promise<Found[]> {
  const found: Found[] = [];
  const drilled = async (what: string, named: RegExp, env: NodeJS.ProcessEnv = {}): Promise<void> => {
    const before = machine.metrics;
    const { code, said } = await machine.drill(env);
    const line = said.split('\n').find((text) => named.test(text));
    found.push([what, code === 1 && line !== undefined && machine.metrics === before, line ?? said]);
  };

  const own = join(machine.folder, 'planted');
  mkdirSync(own);
  /** A program instead of Node.js that first changes the copy. */
  const changing = (statement: string): NodeJS.ProcessEnv => {
    const program = join(own, 'node');
    const change = `PGOPTIONS='-c default_transaction_read_only=off' psql -qX -h ${machine.folder} -p "$FIBRE_DRILL_PORT" -d event -c "${statement}"`;
    writeFileSync(
      program,
      `#!/bin/sh\ncase "$*" in *compare.js*) case $PWD in *event-service) ${change} ;; esac ;; esac\nexec ${process.execPath} "$@"\n`,
      { mode: 0o755 },
    );
    return { FIBRE_NODE: program };
  };
  await drilled(
    'a changed row in the copy',
    /event \(.*\) differs in the restored copy/,
    changing(`update event set usr_reference = 'planted' where ctid = (select min(ctid) from event)`),
  );
  await drilled(
    'a missing row in the copy',
    /closing \(.*\) is missing in the restored copy/,
    changing(`delete from closing where reference = 'INV-3'`),
  );
  await drilled(
    'an answer that differs',
    /GET .* differs in the restored copy/,
    changing(`update closing set reference = 'planted' || reference`),
  );

  const repository = join(machine.folder, 'repository');
  const [archive] = readdirSync(repository, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /archive\/fibre\/[^/]+\/0000000\d{9}$/.test(path),
  );
  const segments = readdirSync(join(repository, archive!)).sort();
  // The last one but one: not in the backup, and not the end.
  const segment = segments.at(-2)!;
  renameSync(join(repository, archive!, segment), join(own, segment));
  await drilled('a missing segment', /is missing or damaged/);
  renameSync(join(own, segment), join(repository, archive!, segment));

  const empty = join(own, 'empty');
  mkdirSync(empty);
  await drilled('an empty repository', /has no backup/, { PGBACKREST_REPO1_PATH: empty });

  const small = join(own, 'small');
  mkdirSync(small);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', small]);
  await drilled('a full disk', /MB free, but a copy needs/, { FIBRE_DRILL: small });
  execFileSync('umount', [small]);
  rmdirSync(small);

  const alter = async (change: string): Promise<void> => {
    await machine.query('postgres', `alter system ${change}`);
    await machine.query('postgres', 'select pg_reload_conf()');
  };
  const [limit] = await machine.query<{ seconds: number }>(
    'postgres',
    `select setting::int as seconds from pg_settings where name = 'archive_timeout'`,
  );
  await alter('set archive_timeout = 0');
  await drilled('no archive_timeout', /archive_timeout is 0/);
  await alter('reset archive_timeout');

  await alter(`set archive_command = 'false'`);
  // Writes the end of a transaction.
  await machine.query('event', 'select pg_current_xact_id()');
  await sleep((limit!.seconds + 2) * 1_000);
  await drilled('a stuck archiver', /seconds would be lost, .* is WAL archived\?/, { FIBRE_DRILL_PATIENCE: '0' });
  await alter('reset archive_command');
  rmSync(own, { recursive: true });

  const { code, said } = await machine.drill();
  found.push([
    'the drill passes again, although nothing is written any more',
    code === 0,
    said.split('\n').find((line) => line.includes('loss')) ?? said,
  ]);
  return found;
}
