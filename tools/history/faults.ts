import { execFile, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findServer } from '@fibre/embedded-postgres';
import { until } from '@fibre/testing';
import type { Stack } from './stack.js';

const FROZEN_MS = 3_000;
/** Longer than a service waits for a new connection. */
const SILENT_MS = 12_000;
/** What a service sends when it commits, and the response to it; single events and nodes are written by a single statement. */
const COMMITS = ['commit', 'COMMIT', 'events-append', 'events-overwrite', 'access-nodes-insert', 'access-nodes-update'];

/** Each fault breaks something while requests are under way, and resolves once it is repaired. The last one can't be repeated. */
export const FAULTS: Readonly<Record<string, (stack: Stack) => Promise<unknown>>> = {
  none: () => sleep(FROZEN_MS),
  'a replica of each service is killed': ({ replicas }) =>
    Promise.all(replicas.filter((_, index) => index % 2 === 0).map((replica) => replica.restart())),
  'a replica of each service is frozen for 3 s': async ({ replicas }) => {
    const chosen = replicas.filter((_, index) => index % 2 === 1);
    for (const { process } of chosen) process.signal('SIGSTOP');
    await sleep(FROZEN_MS);
    for (const { process } of chosen) process.signal('SIGCONT');
  },
  'connections to the database are cut, five times': async ({ replicas }) => {
    for (let n = 0; n < 5; n++) {
      for (const { relay } of replicas) relay.cut();
      await sleep(200);
      for (const { relay } of replicas) await relay.mend();
      await sleep(400);
    }
  },
  'connections are cut at a commit, before and after it': async ({ replicas }) => {
    for (const isPassedOn of [false, true, false, true]) {
      for (const text of COMMITS) {
        for (const { relay } of replicas) relay.cutAt(isPassedOn, text);
        await sleep(FROZEN_MS / 10);
      }
    }
  },
  'connections fall silent at a commit': async ({ replicas }) => {
    for (const { relay } of replicas) relay.fallSilentAt(...COMMITS);
    await sleep(FROZEN_MS);
  },
  'the database is silent for 12 s': async ({ replicas }) => {
    for (const { relay } of replicas) relay.fallSilent();
    await sleep(SILENT_MS);
    for (const { relay } of replicas) await relay.mend();
  },
  'the database is 100 ms away': async ({ replicas }) => {
    for (const { relay } of replicas) relay.delay(50);
    await sleep(FROZEN_MS);
    for (const { relay } of replicas) relay.cut();
    for (const { relay } of replicas) await relay.mend();
  },
  'the database is frozen for 3 s': async ({ server }) => {
    const { pid } = findServer(server.dataDir)!;
    const signal = (name: string): Promise<unknown> =>
      promisify(execFile)('pkill', [`-${name}`, '-P', String(pid)]).then(() => process.kill(pid, `SIG${name}`));
    await signal('STOP');
    await sleep(FROZEN_MS);
    await signal('CONT');
  },
  'the disk of the database is full for 3 s': async ({ disk }) => {
    const filler = join(disk!.folder, 'filler');
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=8k']);
    await sleep(FROZEN_MS);
    rmSync(filler);
  },
  'the database is killed and recovers': async ({ server }) => {
    await server.kill();
    await server.start();
  },
  'the database is killed and its standby takes over': async (stack) => {
    await stack.server.kill();
    await stack.postgres.standby.query('postgres', 'select pg_promote()');
    stack.server = stack.postgres.standby;
    await until('the standby to accept writes', async () => {
      const [row] = await stack.server.query<{ recovers: boolean }>('postgres', 'select pg_is_in_recovery() as recovers');
      return !row!.recovers;
    });
  },
};
