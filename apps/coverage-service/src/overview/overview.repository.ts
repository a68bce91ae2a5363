import { type Count, countRecords, Database } from '@fibre/database';
import { withoutUnset } from '@fibre/dto';
import { Injectable } from '@nestjs/common';
import { type Collection, TOKENS } from '../access-nodes/access-node.js';
import { accessNodeListing } from '../access-nodes/access-node-filters.sql.js';
import {
  type LatestImportResponse,
  type OverviewResponse,
  StageCountsResponse,
  type WaitingRelationResponse,
} from './overview.response.js';
import { MAX_WALKED, relationRows, selectImports, selectWaiting, type WaitingRelations } from './overview.sql.js';

@Injectable()
export class OverviewRepository {
  constructor(private readonly database: Database) {}

  /** One statement at a time, so that an overview uses only one connection. */
  async read(tenant: string): Promise<OverviewResponse> {
    const nodes = await this.countStages(tenant, 'nodes');
    const prenodes = await this.countStages(tenant, 'prenodes');
    const connected = await countRecords(this.database, accessNodeListing(tenant, { target: 'nodes', connected: 'true' }));
    const relations = await countRecords(this.database, relationRows(tenant));
    return { nodes, prenodes, connected, relations, ...(await this.readWaiting(tenant)), ...(await this.readImports(tenant)) };
  }

  private async readImports(tenant: string): Promise<Pick<OverviewResponse, 'imports' | 'imports_count'>> {
    type Row = { [Name in keyof LatestImportResponse]: LatestImportResponse[Name] | null } & { total: number };
    const rows = await this.database.run<Row>(selectImports(tenant));
    return {
      imports_count: { count: rows[0]?.total ?? 0 },
      imports: rows.map(({ total: _total, ...row }) => withoutUnset(row) as LatestImportResponse),
    };
  }

  private async countStages(tenant: string, target: Collection): Promise<StageCountsResponse> {
    const counts = new StageCountsResponse();
    for (const token of TOKENS) counts[token] = await countRecords(this.database, accessNodeListing(tenant, { target, token }));
    return counts;
  }

  private async readWaiting(tenant: string): Promise<Pick<OverviewResponse, 'waiting' | 'waiting_count'>> {
    const [found] = await this.database.run<WaitingRelations>(selectWaiting(tenant));
    const { walked, count, first } = found!;
    const waiting: WaitingRelationResponse[] = [];
    for (const { relation_id, name } of first) {
      const prenodes = await countRecords(this.database, accessNodeListing(tenant, { target: 'prenodes', relation_id }));
      waiting.push({ relation_id, name: name ?? undefined, prenodes });
    }
    const waiting_count: Count = walked < MAX_WALKED ? { count } : { count, estimated: true, at_least: true };
    return { waiting_count, waiting };
  }
}
