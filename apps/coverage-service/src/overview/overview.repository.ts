import { countInTime, Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { type Collection, TOKENS } from '../access-nodes/access-node.js';
import { accessNodeListing } from '../access-nodes/access-node.sql.js';
import type { LatestImportResponse, OverviewResponse, StageCountsResponse, WaitingRelationResponse } from './overview.response.js';
import { countRelations, selectImports, selectWaiting } from './overview.sql.js';

@Injectable()
export class OverviewRepository {
  constructor(private readonly database: Database) {}

  /** One statement at a time, so that an overview uses only one connection. */
  async read(tenant: string): Promise<OverviewResponse> {
    const nodes = await this.countStages(tenant, 'nodes');
    const prenodes = await this.countStages(tenant, 'prenodes');
    const [counted] = await this.database.run<{ relations: number }>(countRelations(tenant));
    const waiting = await this.database.run<WaitingRelationResponse>(selectWaiting(tenant));
    const imports = await this.database.run<LatestImportResponse>(selectImports(tenant));
    return { nodes, prenodes, relations: counted!.relations, waiting, imports };
  }

  private async countStages(tenant: string, target: Collection): Promise<StageCountsResponse> {
    const counts = { planned: 0, construction: 0, operation: 0 };
    for (const token of TOKENS) counts[token] = await countInTime(this.database, accessNodeListing(tenant, { target, token }));
    return counts;
  }
}
