import { ContentionError, Database, UNIQUE_VIOLATION } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { Collection } from '../access-nodes/access-node.js';
import { RelationNodesRepository } from './relation-nodes.repository.js';
import type { MergeCounts } from './relation-nodes.sql.js';

/** Milliseconds: all nodes of a relation take longer than one, and other work on the relation may come first. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** Most rounds of one merge: another one is needed when a production node is deleted that the merge wanted to update. */
const MAX_MERGE_ROUNDS = 10;

/** Bulk work on the nodes of a tenant's relation. */
@Injectable()
export class RelationNodesService {
  constructor(
    private readonly database: Database,
    private readonly repository: RelationNodesRepository,
  ) {}

  /**
   * Moves all pre-production nodes of a relation to production, or none.
   *
   * @throws ContentionError
   */
  merge(tenant: string, relationId: string): Promise<MergeCounts> {
    return this.database.transaction(
      async (run) => {
        await this.repository.lockRelation(run, tenant, relationId);
        await this.repository.lockPrenodes(run, tenant, relationId);
        const counts = { inserted: 0, updated: 0 };
        for (let rounds = 0; rounds < MAX_MERGE_ROUNDS; rounds++) {
          const { found, inserted, updated } = await this.repository.promotePrenodes(run, tenant, relationId);
          counts.inserted += inserted;
          counts.updated += updated;
          if (found === inserted + updated) return counts;
        }
        throw new ContentionError(MAX_MERGE_ROUNDS, undefined);
      },
      // Meanwhile a production node with the same reference was created: the next attempt sees it.
      { retryOn: [UNIQUE_VIOLATION], statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    );
  }

  /** @returns how many there were */
  delete(tenant: string, relationId: string, collection: Collection): Promise<number> {
    return this.database.transaction(
      async (run) => {
        await this.repository.lockRelation(run, tenant, relationId);
        return this.repository.delete(run, tenant, relationId, collection);
      },
      { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    );
  }
}
