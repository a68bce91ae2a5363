import { countRecords, Database, readRecords, retryOnConflict } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { type Collection, COLLECTIONS } from '../access-nodes/access-node.js';
import { accessNodeListing } from '../access-nodes/access-node-filters.sql.js';
import { type NewRelation, Relation, type SettableFields } from './relation.entity.js';
import { toRelationResponse } from './relation.response.js';
import { findNodes, MAX_COUNTED } from './relation.sql.js';

@Injectable()
export class RelationsRepository {
  constructor(
    @InjectRepository(Relation) private readonly relations: Repository<Relation>,
    private readonly database: Database,
  ) {}

  async insert(fields: NewRelation): Promise<Relation> {
    const relation = this.relations.create(fields);
    await this.relations.insert(relation);
    return relation;
  }

  find(tenant: string, relationId: string): Promise<Relation | null> {
    return this.relations.findOneBy({ tenant, relation_id: relationId });
  }

  findByName(tenant: string, name: string): Promise<Relation | null> {
    return this.relations.findOneBy({ tenant, name });
  }

  page(tenant: string, filters: Partial<Pick<Relation, 'name' | 'pip'>>, page: PageRequest): Promise<PageRows> {
    const where = { tenant, ...filters };
    const { relations: repository } = this;
    return readRecords(this.database, { repository, label: 'relations', where, key: 'relation_id', toResponse: toRelationResponse }, page);
  }

  /** How many nodes a relation has, exact up to {@link MAX_COUNTED} in each collection. */
  async countNodes(tenant: string, relation_id: string): Promise<Record<Collection, number>> {
    const count = async (target: Collection): Promise<number> =>
      (await countRecords(this.database, accessNodeListing(tenant, { target, relation_id }), MAX_COUNTED)).count;
    return { nodes: await count('nodes'), prenodes: await count('prenodes') };
  }

  /**
   * @param versions the versions at which the relation may be changed; any if absent
   * @returns `undefined` if there is no such relation at any of these versions, or nothing would change
   */
  async update(
    tenant: string,
    actor: string | null,
    relationId: string,
    changes: Partial<SettableFields>,
    versions?: number[],
  ): Promise<Relation | undefined> {
    const columns = Object.keys(changes).filter((name) => changes[name as keyof SettableFields] !== undefined);
    const update = this.relations
      .createQueryBuilder()
      .update()
      .set({ ...changes, version: () => 'version + 1', modified_at: () => 'write_time()', modified_by: actor })
      .where({ tenant, relation_id: relationId, ...(versions && { version: In(versions) }) })
      .andWhere(`(${columns.map((name) => `"${name}" is distinct from :${name}`).join(' or ')})`, changes)
      .returning('*');
    // Two concurrent updates that each take the other relation's name can deadlock.
    const result = await retryOnConflict(() => update.execute());
    return (result.raw as Relation[])[0];
  }

  /** @param check throws if the relation must not be deleted; receives the collections that contain nodes of the relation */
  delete(tenant: string, relation_id: string, check: (relation: Relation | null, collections: Collection[]) => void): Promise<void> {
    return retryOnConflict(() =>
      this.relations.manager.transaction(async (manager) => {
        // The first check takes no lock, because locking waits for imports into the relation; if it finds nodes, no lock is needed.
        for (const lock of [undefined, { mode: 'pessimistic_write' } as const]) {
          const relation = await manager.findOne(Relation, { where: { tenant, relation_id }, lock });
          // A separate statement sees the nodes that were stored before the lock was taken.
          const { text, values } = findNodes(tenant, relation_id);
          const [found] = await manager.query<[Record<Collection, boolean>]>(text, values);
          check(
            relation,
            COLLECTIONS.filter((collection) => found[collection]),
          );
        }
        await manager.delete(Relation, { tenant, relation_id });
      }),
    );
  }
}
