import { countRecords, Database } from '@fibre/database';
import { withoutUnset } from '@fibre/dto';
import { Injectable } from '@nestjs/common';
import { type Collection, TOKENS } from '../access-nodes/access-node.js';
import { accessNodeListing } from '../access-nodes/access-node.sql.js';
import {
  type LatestImportResponse,
  type OverviewResponse,
  StageCountsResponse,
  type WaitingRelationResponse,
} from './overview.response.js';
import { relationRows, selectImports, selectWaiting } from './overview.sql.js';

@Injectable()
export class OverviewRepository {
  constructor(private readonly database: Database) {}

  /** One statement at a time, so that an overview uses only one connection. */
  async read(tenant: string): Promise<OverviewResponse> {
    const nodes = await this.countStages(tenant, 'nodes');
    const prenodes = await this.countStages(tenant, 'prenodes');
    const relations = await countRecords(this.database, relationRows(tenant));
    const waiting = await this.countWaiting(tenant);
    return { nodes, prenodes, relations, waiting, imports: await this.readImports(tenant) };
  }

  private async readImports(tenant: string): Promise<LatestImportResponse[]> {
    type Row = { [Name in keyof LatestImportResponse]: LatestImportResponse[Name] | null };
    const rows = await this.database.run<Row>(selectImports(tenant));
    return rows.map((row) => withoutUnset(row) as LatestImportResponse);
  }

  private async countStages(tenant: string, target: Collection): Promise<StageCountsResponse> {
    const counts = new StageCountsResponse();
    for (const token of TOKENS) counts[token] = await countRecords(this.database, accessNodeListing(tenant, { target, token }));
    return counts;
  }

  private async countWaiting(tenant: string): Promise<WaitingRelationResponse[]> {
    const waiting: WaitingRelationResponse[] = [];
    for (const { relation_id, name } of await this.database.run<{ relation_id: string; name: string | null }>(selectWaiting(tenant))) {
      const prenodes = await countRecords(this.database, accessNodeListing(tenant, { target: 'prenodes', relation_id }));
      waiting.push({ relation_id, name: name ?? undefined, prenodes });
    }
    return waiting;
  }
}
