import { Database } from '@fibre/database';
import { type Page, readPage } from '@fibre/pagination';
import { preconditionFailed, recordNotFound } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Collection } from '../access-nodes/access-node.js';
import { allowedVersions } from '@fibre/dto';
import type { Relation } from './relation.entity.js';
import { relationInUse, relationNameTaken } from './relation.problems.js';
import type { CreateRelationRequest, ListRelationsQuery, UpdateRelationRequest } from './relation.requests.js';
import { NameTaken, RelationsRepository } from './relations.repository.js';

/** Rules of the relations. Every method sees the records of its tenant alone. */
@Injectable()
export class RelationsService {
  constructor(
    private readonly database: Database,
    private readonly repository: RelationsRepository,
  ) {}

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
    return readPage(query, `relations of ${tenant}`, filters, (page) => this.repository.list(tenant, filters, page));
  }

  /** @throws Problem 404, 409 `relation-name-taken`, 412 */
  async update(tenant: string, relationId: string, changes: UpdateRelationRequest, ifMatch: string | undefined): Promise<Relation> {
    const versions = allowedVersions(ifMatch);
    // A patch that says nothing is an answer without a write, so that modified_at means what it says.
    if (Object.values(changes).every((value) => value === undefined)) return this.readVersion(tenant, relationId, versions);

    const updated = await this.repository
      .update(tenant, relationId, changes, versions)
      .catch((error: unknown) => this.nameConflict(error, tenant, changes.name));
    if (updated) return updated;
    await this.read(tenant, relationId);
    throw preconditionFailed('relation');
  }

  /** @throws Problem 404, 409 `relation-in-use`, 412 */
  async delete(tenant: string, relationId: string, ifMatch: string | undefined): Promise<void> {
    const versions = allowedVersions(ifMatch);
    await this.database.transaction(async (run) => {
      const check = async (): Promise<void> => {
        const relation = await this.repository.findDeletable(run, tenant, relationId);
        if (!relation) throw recordNotFound('relation', relationId);
        if (versions && !versions.includes(relation.version)) throw preconditionFailed('relation');
        if (relation.collections.length > 0) throw relationInUse(relationId, relation.collections);
      };
      // Before the lock, for it may have to wait for those who create nodes in the relation, and need not where some are there.
      await check();
      await this.repository.lock(run, tenant, relationId);
      // A statement of its own sees the nodes that were stored while the lock was waited for.
      await check();
      await this.repository.delete(run, tenant, relationId);
    });
  }

  private async readVersion(tenant: string, relationId: string, versions: number[] | undefined): Promise<Relation> {
    const relation = await this.read(tenant, relationId);
    if (versions && !versions.includes(relation.version)) throw preconditionFailed('relation');
    return relation;
  }

  private async nameConflict(error: unknown, tenant: string, name: string | undefined): Promise<never> {
    if (!(error instanceof NameTaken) || name === undefined) throw error;
    throw relationNameTaken(name, await this.repository.findByName(tenant, name));
  }
}
