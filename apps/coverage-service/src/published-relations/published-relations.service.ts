import { Database, estimateRecords, readListing } from '@fibre/database';
import { type Page, type PageRequest, type PageRows, readPage } from '@fibre/pagination';
import { found } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { type Token, TOKENS } from '../access-nodes/access-node.js';
import { accessNodeListing } from '../access-nodes/access-node-filters.sql.js';
import { MAX_COUNTED } from '../relations/relation.sql.js';
import type { PublishedRelationsQuery } from './published-relation.requests.js';
import { type PublishedRelationFilters, publishedRelations } from './published-relation.sql.js';

interface Counted {
  readonly tenant: string;
  readonly relation_id: string;
  readonly nodes: Record<Token, number>;
}

/** Who is behind the nodes that a search finds. */
@Injectable()
export class PublishedRelationsService {
  constructor(private readonly database: Database) {}

  list(query: PublishedRelationsQuery): Promise<Page> {
    const { _page_size, _page_cursor, ...filters } = query;
    return readPage(query, 'published relations', filters, (page) => this.read(filters, page));
  }

  /** @throws Problem 404 */
  async find(relation_id: string): Promise<string> {
    const { json } = await this.read({ relation_id }, { size: 1 });
    return found(json[0], 'relation with nodes in production', relation_id);
  }

  private async read(filters: PublishedRelationFilters, page: PageRequest): Promise<PageRows> {
    const rows = await readListing(this.database, publishedRelations(filters), page);
    return { ...rows, json: await Promise.all(rows.json.map((text) => this.withEstimates(text))) };
  }

  /** Replaces the counts that were cut off. @param text JSON objects separated by commas */
  private async withEstimates(text: string): Promise<string> {
    const relations = JSON.parse(`[${text}]`) as Counted[];
    const large = relations.filter(({ nodes }) => TOKENS.reduce((sum, token) => sum + nodes[token], 0) > MAX_COUNTED);
    for (const { tenant, relation_id, nodes } of large) {
      for (const token of TOKENS) {
        const estimated = await estimateRecords(this.database, accessNodeListing(tenant, { target: 'nodes', relation_id, token }));
        nodes[token] = Math.max(nodes[token], estimated);
      }
    }
    return large.length === 0 ? text : JSON.stringify(relations).slice(1, -1);
  }
}
