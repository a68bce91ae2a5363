import type { Run } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { Collection } from '../access-nodes/access-node.js';
import { deleteRelation, lockPrenodes, lockRelation, type MergeRound, promotePrenodes } from './relation-bulk.sql.js';

/** The statements of the bulk work; each runs in the transaction that its caller has begun. */
@Injectable()
export class RelationBulkRepository {
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

  async delete(run: Run, tenant: string, relationId: string, collection: Collection): Promise<void> {
    await run(deleteRelation(tenant, relationId, collection));
  }
}
