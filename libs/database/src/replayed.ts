import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that a replica has to catch up. Most need one or two; a read had better not wait for one that needs more. */
const CATCH_UP_MS = 20;
const ASK_EVERY_MS = 2;

/** Asks a server whether it is a replica, and how many bytes of the log it has replayed. */
export const REPLAYED = {
  name: 'replayed',
  text: `select pg_is_in_recovery() as is_replica, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as position`,
  values: [],
};

/** What {@link REPLAYED} answers. */
export interface Replayed {
  readonly is_replica: boolean;
  /** Null on a server that never was a replica. */
  readonly position: number | null;
}

/** Asks a replica until it has replayed the log up to a position, but not for long. @returns its last answer */
export async function askUntil(position: number, ask: () => Promise<Replayed>): Promise<Replayed> {
  for (const end = performance.now() + CATCH_UP_MS; ; await sleep(ASK_EVERY_MS)) {
    const replayed = await ask();
    if (!replayed.is_replica || replayed.position! >= position || performance.now() >= end) return replayed;
  }
}
