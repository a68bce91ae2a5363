import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, LessThan, Not, type Repository } from 'typeorm';
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
/** Tables with rows that belong to a namespace, and their id columns, in the order of deletion. */
const CONTENTS = [
  ['event', 'event_id'],
  ['timeline', 'entity_id'],
  ['isp', 'partner_id'],
  ['closing', 'closing_id'],
  ['refused_event', 'refused_id'],
] as const;

@Injectable()
export class NamespacesRepository {
  constructor(@InjectRepository(Namespace) private readonly namespaces: Repository<Namespace>) {}

  find(name: NamespaceName): Promise<Namespace | null> {
    return this.namespaces.findOneBy(name);
  }

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
   * A limited part of the clean-up. Any replica can continue, and several may work at the same time.
   *
   * @returns whether there was anything to delete
   */
  async cleanUpStep(cutoff: Date): Promise<boolean> {
    // Either a concurrent request that records a use of the namespace waits for this update, or the update waits for the request;
    // whichever runs second sees the other's changes.
    await this.namespaces.update({ name: Not(IsNull()), last_used_at: LessThan(cutoff) }, { name: null });
    const retired = await this.namespaces.findOne({ where: { name: IsNull() }, order: { last_used_at: 'ASC' } });
    if (!retired) return false;
    for (const [table, id] of CONTENTS) if (await this.deleteSome(table, id, retired)) return true;
    await this.namespaces.delete({ namespace_id: retired.namespace_id, shard_key: retired.shard_key });
    return true;
  }

  /** @returns whether more rows may be left */
  private async deleteSome(table: string, id: string, { tenant, namespace_id }: Namespace): Promise<boolean> {
    const { manager } = this.namespaces;
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
}
