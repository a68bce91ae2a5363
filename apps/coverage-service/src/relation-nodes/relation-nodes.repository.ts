import type { Run } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { Collection } from '../access-nodes/access-node.js';
import { lockRelation } from './relation-lock.sql.js';
import { deleteRelation, lockPrenodes, type MergeRound, promotePrenodes } from './relation-nodes.sql.js';

/** Statements on all nodes of a relation; each runs in the caller's transaction. */
@Injectable()
export class RelationNodesRepository {
  async lockRelation(run: Run, tenant: string, relationId: string): Promise<void> {
    await run(lockRelation(tenant, relationId));
  }

  async lockPrenodes(run: Run, tenant: string, relationId: string): Promise<void> {
    await run(lockPrenodes(tenant, relationId));
  }

  async promotePrenodes(run: Run, tenant: string, relationId: string): Promise<MergeRound> {
    const [round] = await run<MergeRound>(promotePrenodes(tenant, relationId));
    return round!;
  }

  async delete(run: Run, tenant: string, relationId: string, collection: Collection): Promise<number> {
    const [deleted] = await run<{ count: number }>(deleteRelation(tenant, relationId, collection));
    return deleted!.count;
  }
}
