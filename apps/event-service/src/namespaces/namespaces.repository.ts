import { Database, type Run } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import {
  deleteEvents,
  deleteIsps,
  deleteNamespace,
  deleteTimelines,
  findRetired,
  type NamespaceName,
  openNamespace,
  type RetiredNamespace,
  retireUnused,
  someEvents,
  someIsps,
  someTimelines,
  touchNamespace,
  tryCleanUpLock,
} from './namespace.sql.js';

/** Rows that one step of the clean-up deletes at most, so that each is short. */
export const CLEAN_UP_BATCH = 1_000;

/** What a step of the clean-up did: some of a namespace, the last of one, nothing as nothing is left, or as another replica is at it. */
export type CleanUpStep = 'more' | 'deleted' | 'done' | 'busy';

@Injectable()
export class NamespacesRepository {
  constructor(private readonly database: Database) {}

  /** @returns id of the namespace, which now exists and counts as used */
  async open(name: NamespaceName, now: Date): Promise<string> {
    const [row] = await this.database.run<{ namespace_id: string }>(openNamespace(name, uuidv7(), now));
    return row!.namespace_id;
  }

  /** @returns id of the namespace, which now counts as used; `undefined` when there is none */
  async touch(name: NamespaceName, now: Date): Promise<string | undefined> {
    const [row] = await this.database.run<{ namespace_id: string }>(touchNamespace(name, now));
    return row?.namespace_id;
  }

  /**
   * Does a bounded part of the clean-up in a transaction of its own. The lock lasts as long as that, so a replica that
   * dies leaves no lock, and the next step of any other goes on where this one ended.
   */
  cleanUpStep(cutoff: Date): Promise<CleanUpStep> {
    return this.database.transaction(async (run) => {
      const [lock] = await run<{ taken: boolean }>(tryCleanUpLock);
      if (!lock!.taken) return 'busy';
      await run(retireUnused(cutoff));
      const [retired] = await run<RetiredNamespace>(findRetired);
      if (!retired) return 'done';
      const left =
        (await deleteSome(run, retired, someEvents, deleteEvents)) ||
        (await deleteSome(run, retired, someTimelines, deleteTimelines)) ||
        (await deleteSome(run, retired, someIsps, deleteIsps));
      if (left) return 'more';
      await run(deleteNamespace(retired));
      return 'deleted';
    });
  }
}

/** @returns whether there may be more */
async function deleteSome(run: Run, namespace: RetiredNamespace, some: typeof someEvents, remove: typeof deleteEvents): Promise<boolean> {
  const ids = (await run<{ id: string }>(some(namespace, CLEAN_UP_BATCH))).map(({ id }) => id);
  if (ids.length > 0) await run(remove(namespace, ids));
  return ids.length === CLEAN_UP_BATCH;
}
