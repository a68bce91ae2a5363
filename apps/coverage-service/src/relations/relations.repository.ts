import { Database, estimateRecords, isUniqueViolation, MAX_EXACT_TOTAL, readListing, type Run } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type Collection, COLLECTIONS } from '../access-nodes/access-node.js';
import { accessNodeListing } from '../access-nodes/access-node.sql.js';
import { type NewRelation, Relation } from './relation.entity.js';
import type { SettableFields } from './relation.js';
import {
  countNodes,
  type Deletable,
  deleteRelation,
  findByName,
  findDeletable,
  lockRelation,
  type RelationFilters,
  relationListing,
  updateRelation,
} from './relation.sql.js';

/** Another relation of the tenant has the name. */
export class NameTaken extends Error {}

@Injectable()
export class RelationsRepository {
  constructor(
    @InjectRepository(Relation) private readonly relations: Repository<Relation>,
    private readonly database: Database,
  ) {}

  /** @throws NameTaken */
  async insert(relation: NewRelation): Promise<Relation> {
    const result = await this.relations.createQueryBuilder().insert().values(relation).returning('*').execute().catch(asNameTaken);
    return (result.raw as Relation[])[0]!;
  }

  find(tenant: string, relationId: string): Promise<Relation | null> {
    return this.relations.findOneBy({ tenant, relation_id: relationId });
  }

  async findByName(tenant: string, name: string): Promise<string | undefined> {
    const [row] = await this.database.run<{ relation_id: string }>(findByName(tenant, name));
    return row?.relation_id;
  }

  list(tenant: string, filters: RelationFilters, page: PageRequest): Promise<PageRows> {
    return readListing(this.database, relationListing(tenant, filters), page);
  }

  /** How many nodes a relation has, exact up to {@link MAX_EXACT_TOTAL} in each collection. */
  async countNodes(tenant: string, relationId: string): Promise<Record<Collection, number>> {
    const [counts] = await this.database.run<Record<Collection, number>>(countNodes(tenant, relationId));
    for (const target of COLLECTIONS.filter((collection) => counts![collection] > MAX_EXACT_TOTAL)) {
      const estimated = await estimateRecords(this.database, accessNodeListing(tenant, { target, relation_id: relationId }));
      counts![target] = Math.max(counts![target], estimated);
    }
    return counts!;
  }

  /**
   * @param versions the versions the change is meant for; every version when absent
   * @returns `undefined` when there is no such relation in such a version
   * @throws NameTaken
   */
  async update(tenant: string, relationId: string, changes: Partial<SettableFields>, versions?: number[]): Promise<Relation | undefined> {
    // In a transaction, which runs again after a deadlock: two relations may each take the name of the other.
    const [relation] = await this.database
      .transaction((run) => run<Relation>(updateRelation(tenant, relationId, changes, versions)))
      .catch(asNameTaken);
    return relation;
  }

  async findDeletable(run: Run, tenant: string, relationId: string): Promise<Deletable | undefined> {
    const [relation] = await run<Deletable>(findDeletable(tenant, relationId));
    return relation;
  }

  async lock(run: Run, tenant: string, relationId: string): Promise<void> {
    await run(lockRelation(tenant, relationId));
  }

  async delete(run: Run, tenant: string, relationId: string): Promise<void> {
    await run(deleteRelation(tenant, relationId));
  }
}

function asNameTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new NameTaken() : error;
}
