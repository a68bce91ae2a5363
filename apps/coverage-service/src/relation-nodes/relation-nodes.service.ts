import { ContentionError, Database, UNIQUE_VIOLATION } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { Collection } from '../access-nodes/access-node.js';
import { MAX_BULK_MS } from '../access-nodes/access-nodes.repository.js';
import { beginPublication, endPublication } from '../node-changes/publication.sql.js';
import { lockRelation } from '../relation-locks/relation-lock.sql.js';
import { deleteRelation, lockPrenodes, type MergeCounts, type MergeRound, promotePrenodes } from './relation-nodes.sql.js';

/** Maximum number of rounds in one merge: another round is needed when a production node that the merge wanted to update is deleted. */
const MAX_MERGE_ROUNDS = 10;

/** Bulk work on the nodes of a tenant's relation. */
@Injectable()
export class RelationNodesService {
  constructor(private readonly database: Database) {}

  /**
   * Moves all pre-production nodes of a relation to production, or none of them.
   *
   * @throws ContentionError
   */
  async merge(tenant: string, actor: string | null, relationId: string): Promise<MergeCounts> {
    const merged = await this.database.change(
      tenant,
      async (run) => {
        await run(beginPublication(tenant));
        await run(lockRelation(tenant, relationId));
        await run(lockPrenodes(tenant, relationId));
        const counts = { inserted: 0, updated: 0 };
        for (let rounds = 0; rounds < MAX_MERGE_ROUNDS; rounds++) {
          const [round] = await run<MergeRound>(promotePrenodes(tenant, actor, relationId));
          counts.inserted += round!.inserted;
          counts.updated += round!.updated;
          if (round!.found === round!.inserted + round!.updated) return counts;
        }
        throw new ContentionError(MAX_MERGE_ROUNDS, undefined);
      },
      // Such a violation means that a production node with the same reference was created in the meantime: the next attempt sees it.
      { retryOn: [UNIQUE_VIOLATION], statementTimeoutMs: MAX_BULK_MS },
    );
    await endPublication(this.database, tenant);
    return merged;
  }

  /** @returns how many nodes were deleted */
  async delete(tenant: string, relationId: string, collection: Collection): Promise<number> {
    const count = await this.database.change(
      tenant,
      async (run) => {
        await run(beginPublication(tenant));
        await run(lockRelation(tenant, relationId));
        const [deleted] = await run<{ count: number }>(deleteRelation(tenant, relationId, collection));
        return deleted!.count;
      },
      { statementTimeoutMs: MAX_BULK_MS },
    );
    await endPublication(this.database, tenant);
    return count;
  }
}
