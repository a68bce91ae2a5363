import { isUniqueViolation } from '@fibre/database';
import { type Conditions, isEmptyPatch } from '@fibre/dto';
import { type Page, readPage } from '@fibre/pagination';
import { found } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Collection } from '../access-nodes/access-node.js';
import type { Relation } from './relation.entity.js';
import { relationInUse, relationNameTaken } from './relation.problems.js';
import type { CreateRelationRequest, ListRelationsQuery, UpdateRelationRequest } from './relation.requests.js';
import { RelationsRepository } from './relations.repository.js';

/** Rules for relations. Every method sees only the records of the tenant passed to it. */
@Injectable()
export class RelationsService {
  constructor(private readonly repository: RelationsRepository) {}

  /** @throws Problem 409 `relation-name-taken` */
  create(tenant: string, actor: string | null, request: CreateRelationRequest): Promise<Relation> {
    return this.repository
      .insert({ ...request, tenant, relation_id: uuidv7(), created_by: actor, modified_by: actor })
      .catch((error: unknown) => this.nameConflict(error, tenant, request.name));
  }

  /** @throws Problem 404 */
  async read(tenant: string, relationId: string): Promise<Relation> {
    return found(await this.repository.find(tenant, relationId), 'relation', relationId);
  }

  /** @throws Problem 404 */
  async readCounted(tenant: string, relationId: string): Promise<{ relation: Relation; counts: Record<Collection, number> }> {
    return { relation: await this.read(tenant, relationId), counts: await this.repository.countNodes(tenant, relationId) };
  }

  list(tenant: string, query: ListRelationsQuery): Promise<Page> {
    const { _page_size, _page_cursor, _order, ...filters } = query;
    return readPage(query, `relations of ${tenant}`, filters, (page) => this.repository.page(tenant, filters, page));
  }

  /** @throws Problem 404, 409 `relation-name-taken`, 412 */
  update(
    tenant: string,
    actor: string | null,
    relationId: string,
    changes: UpdateRelationRequest,
    conditions: Conditions,
  ): Promise<Relation> {
    const write = async (versions?: number[]): Promise<Relation | undefined> => {
      const updated = await this.repository
        .update(tenant, actor, relationId, changes, versions)
        .catch((error: unknown) => this.nameConflict(error, tenant, changes.name));
      if (updated) return updated;
      const stored = await this.read(tenant, relationId);
      const isUnchanged = versions === undefined || (versions.includes(stored.version) && isSame(stored, changes));
      return isUnchanged ? stored : undefined;
    };
    return conditions.change('relation', () => this.read(tenant, relationId), isEmptyPatch(changes) ? undefined : write);
  }

  /** @throws Problem 404, 409 `relation-in-use`, 412 */
  delete(tenant: string, relationId: string, conditions: Conditions): Promise<void> {
    return this.repository.delete(tenant, relationId, (relation, collections) => {
      conditions.require('relation', found(relation, 'relation', relationId).version);
      if (collections.length > 0) throw relationInUse(relationId, collections);
    });
  }

  private async nameConflict(error: unknown, tenant: string, name: string | undefined): Promise<never> {
    if (!isUniqueViolation(error) || name === undefined) throw error;
    throw relationNameTaken(name, (await this.repository.findByName(tenant, name))?.relation_id);
  }
}

/** Whether a relation already has these values. */
const isSame = (relation: Relation, changes: UpdateRelationRequest): boolean =>
  Object.entries(changes).every(([name, value]) => value === undefined || relation[name as keyof UpdateRelationRequest] === value);
