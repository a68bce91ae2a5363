import { Database, isUniqueViolation, readListing, UNIQUE_VIOLATION } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { AccessNode, type Collection } from './access-node.entity.js';
import {
  type AccessNodeFilters,
  accessNodeListing,
  deleteRelation,
  findByReference,
  lockPrenodes,
  promotePrenodes,
  updateNode,
} from './access-node.sql.js';

/** Fields of a node that a client sets. */
export type SettableFields = Pick<
  AccessNode,
  'token' | 'latitude' | 'longitude' | 'technology' | 'status' | 'customer_reference' | 'country' | 'address_id' | 'lot_id'
>;
export type NewAccessNode = SettableFields & Pick<AccessNode, 'node_id' | 'tenant' | 'relation_id' | 'collection'>;

/** Another node of the relation and collection has the customer reference. */
export class ReferenceTaken extends Error {}

/** How many nodes a merge moved to production, and how many it laid over one that was there. */
export interface Promotion {
  readonly inserted: number;
  readonly updated: number;
}

/** Bulk work may take longer than a request for one record, and may wait for another one of the same relation. */
const BULK_TIMEOUT_MS = 60_000;
/** Rounds of a merge whose production nodes go away under it; a round more per deletion that hits it. */
const MAX_MERGE_ROUNDS = 10;

@Injectable()
export class AccessNodesRepository {
  constructor(
    @InjectRepository(AccessNode) private readonly nodes: Repository<AccessNode>,
    private readonly database: Database,
  ) {}

  /** @throws ReferenceTaken */
  async insert(node: NewAccessNode): Promise<AccessNode> {
    const result = await this.nodes.createQueryBuilder().insert().values(node).returning('*').execute().catch(asReferenceTaken);
    return (result.raw as AccessNode[])[0]!;
  }

  find(tenant: string, nodeId: string): Promise<AccessNode | null> {
    return this.nodes.findOneBy({ tenant, node_id: nodeId });
  }

  /**
   * @param versions the versions the change is meant for; every version when absent
   * @returns `undefined` when there is no such node in such a version
   * @throws ReferenceTaken
   */
  async update(tenant: string, nodeId: string, changes: Partial<SettableFields>, versions?: number[]): Promise<AccessNode | undefined> {
    // In a transaction, which runs again after a deadlock: a change of reference and a merge may each wait for the other.
    const [node] = await this.database
      .transaction((run) => run<AccessNode>(updateNode(tenant, nodeId, changes, versions)))
      .catch(asReferenceTaken);
    return node;
  }

  /** @returns whether there was such a node in such a version. */
  async delete(tenant: string, nodeId: string, versions?: number[]): Promise<boolean> {
    const { affected } = await this.nodes.delete({ tenant, node_id: nodeId, ...(versions && { version: In(versions) }) });
    return affected === 1;
  }

  list(tenant: string, filters: AccessNodeFilters, page: PageRequest): Promise<PageRows> {
    return readListing(this.database, accessNodeListing(tenant, filters), page);
  }

  async findByReference({ tenant, relation_id, collection }: AccessNode | NewAccessNode, reference: string): Promise<string | undefined> {
    const [row] = await this.database.run<{ node_id: string }>(findByReference(tenant, relation_id, collection, reference));
    return row?.node_id;
  }

  /** Makes a relation's pre-production nodes production ones, all in one transaction. */
  promote(tenant: string, relationId: string): Promise<Promotion> {
    return this.database.transaction(
      async (run) => {
        await run(lockPrenodes(tenant, relationId));
        const sum = { inserted: 0, updated: 0 };
        for (let round = 0; round < MAX_MERGE_ROUNDS; round++) {
          const [row] = await run<{ found: number } & Promotion>(promotePrenodes(tenant, relationId));
          sum.inserted += row!.inserted;
          sum.updated += row!.updated;
          if (row!.found === row!.inserted + row!.updated) break;
        }
        return sum;
      },
      // A production node with the same reference was created meanwhile: the next attempt sees it.
      { retryOn: [UNIQUE_VIOLATION], statementTimeoutMs: BULK_TIMEOUT_MS },
    );
  }

  async deleteRelation(tenant: string, relationId: string, collection: Collection): Promise<void> {
    await this.database.transaction((run) => run(deleteRelation(tenant, relationId, collection)), { statementTimeoutMs: BULK_TIMEOUT_MS });
  }
}

function asReferenceTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new ReferenceTaken() : error;
}
