import { retryOnConflict } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, LessThan, Not, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Namespace } from './namespace.entity.js';

/** A namespace as clients name it. */
export interface NamespaceName {
  readonly tenant: string;
  readonly name: string;
  readonly shard_key: number;
}

/** Maximum number of rows that one step of the clean-up deletes, so that each step is short. */
export const CLEAN_UP_BATCH = 1_000;
/** Key of the advisory lock that the clean-up takes. */
const CLEAN_UP_LOCK = 7_305_118_264;
/** Tables with rows that belong to a namespace, and their id columns, in the order of deletion. */
const CONTENTS = [
  ['event', 'event_id'],
  ['timeline', 'entity_id'],
  ['isp', 'partner_id'],
  ['closing', 'closing_id'],
] as const;

/**
 * Result of a clean-up step: it deleted part of a namespace, it deleted the last part of one, it found nothing left to do, or it did
 * nothing because another replica is cleaning up.
 */
export type CleanUpStep = 'more' | 'deleted' | 'done' | 'busy';

@Injectable()
export class NamespacesRepository {
  constructor(@InjectRepository(Namespace) private readonly namespaces: Repository<Namespace>) {}

  /** @returns id of the namespace, which now exists and counts as used */
  async open(name: NamespaceName, now: Date): Promise<string> {
    const result = await this.namespaces
      .createQueryBuilder()
      .insert()
      .values({ ...name, namespace_id: uuidv7(), created_at: now, last_used_at: now })
      .orUpdate(['last_used_at'], ['tenant', 'name', 'shard_key'])
      .returning('namespace_id')
      .execute();
    return (result.raw as Namespace[])[0]!.namespace_id;
  }

  /** @returns id of the namespace, which now counts as used; `undefined` if there is none */
  async touch(name: NamespaceName, now: Date): Promise<string | undefined> {
    const update = this.namespaces.createQueryBuilder().update().set({ last_used_at: now }).where(name).returning('namespace_id');
    return ((await update.execute()).raw as Namespace[])[0]?.namespace_id;
  }

  /**
   * Runs a limited part of the clean-up in its own transaction, which also holds the lock. A replica that dies therefore leaves no lock
   * behind, and any other replica can continue.
   */
  cleanUpStep(cutoff: Date): Promise<CleanUpStep> {
    return retryOnConflict(() =>
      this.namespaces.manager.transaction(async (manager) => {
        const [{ taken }] = await manager.query<[{ taken: boolean }]>('select pg_try_advisory_xact_lock($1) as taken', [CLEAN_UP_LOCK]);
        if (!taken) return 'busy';
        // Either a concurrent request that records a use of the namespace waits for this transaction, or this transaction waits for the
        // request; whichever runs second sees the other's changes.
        await manager.update(Namespace, { name: Not(IsNull()), last_used_at: LessThan(cutoff) }, { name: null });
        const retired = await manager.findOne(Namespace, { where: { name: IsNull() }, order: { last_used_at: 'ASC' } });
        if (!retired) return 'done';
        for (const [table, id] of CONTENTS) if (await deleteSome(manager, table, id, retired)) return 'more';
        await manager.delete(Namespace, { namespace_id: retired.namespace_id, shard_key: retired.shard_key });
        return 'deleted';
      }),
    );
  }
}

/** @returns whether more rows may be left */
async function deleteSome(manager: EntityManager, table: string, id: string, { tenant, namespace_id }: Namespace): Promise<boolean> {
  const rows = manager
    .createQueryBuilder()
    .select(id, 'id')
    .from(table, 'r')
    .where({ tenant, namespace_id })
    .orderBy(id)
    .limit(CLEAN_UP_BATCH);
  const ids = (await rows.getRawMany<{ id: string }>()).map((row) => row.id);
  if (ids.length > 0) await manager.delete(table, { tenant, namespace_id, [id]: In(ids) });
  return ids.length === CLEAN_UP_BATCH;
}
