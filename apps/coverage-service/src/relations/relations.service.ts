import { isUniqueViolation } from '@fibre/database';
import { allowedVersions, meetsConditions, type WriteConditions } from '@fibre/dto';
import { type Page, readPage } from '@fibre/pagination';
import { preconditionFailed, recordNotFound } from '@fibre/problems';
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
  create(tenant: string, request: CreateRelationRequest): Promise<Relation> {
    return this.repository
      .insert({ ...request, tenant, relation_id: uuidv7() })
      .catch((error: unknown) => this.nameConflict(error, tenant, request.name));
  }

  /** @throws Problem 404 */
  async read(tenant: string, relationId: string): Promise<Relation> {
    const relation = await this.repository.find(tenant, relationId);
    if (!relation) throw recordNotFound('relation', relationId);
    return relation;
  }

  /** @throws Problem 404 */
  async readCounted(tenant: string, relationId: string): Promise<{ relation: Relation; counts: Record<Collection, number> }> {
    return { relation: await this.read(tenant, relationId), counts: await this.repository.countNodes(tenant, relationId) };
  }

  list(tenant: string, query: ListRelationsQuery): Promise<Page> {
    const { _page_size, _page_cursor, ...filters } = query;
    return readPage(query, `relations of ${tenant}`, filters, (page) => this.repository.page(tenant, filters, page));
  }

  /** @throws Problem 404, 409 `relation-name-taken`, 412 */
  async update(tenant: string, relationId: string, changes: UpdateRelationRequest, conditions: WriteConditions): Promise<Relation> {
    // An empty patch writes nothing, so modified_at does not change.
    const isEmpty = Object.values(changes).every((value) => value === undefined);
    // Versions only grow, so none that If-None-Match names can become the current one after this.
    if (isEmpty || conditions['if-none-match'] !== undefined) {
      const relation = await this.read(tenant, relationId);
      if (!meetsConditions(conditions, relation.version)) throw preconditionFailed('relation', conditions);
      if (isEmpty) return relation;
    }
    const updated = await this.repository
      .update(tenant, relationId, changes, allowedVersions(conditions['if-match']))
      .catch((error: unknown) => this.nameConflict(error, tenant, changes.name));
    if (updated) return updated;
    await this.read(tenant, relationId);
    throw preconditionFailed('relation', conditions);
  }

  /** @throws Problem 404, 409 `relation-in-use`, 412 */
  delete(tenant: string, relationId: string, conditions: WriteConditions): Promise<void> {
    return this.repository.delete(tenant, relationId, (relation, collections) => {
      if (!relation) throw recordNotFound('relation', relationId);
      if (!meetsConditions(conditions, relation.version)) throw preconditionFailed('relation', conditions);
      if (collections.length > 0) throw relationInUse(relationId, collections);
    });
  }

  private async nameConflict(error: unknown, tenant: string, name: string | undefined): Promise<never> {
    if (!isUniqueViolation(error) || name === undefined) throw error;
    throw relationNameTaken(name, (await this.repository.findByName(tenant, name))?.relation_id);
  }
}
