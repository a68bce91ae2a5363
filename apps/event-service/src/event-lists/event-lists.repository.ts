import { Database } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import type { EventFilters, ListScope } from './event-filters.sql.js';
import { countListing, estimateListing, type Listing, MAX_EXACT_TOTAL, selectPage } from './event-lists.sql.js';

@Injectable()
export class EventListsRepository {
  constructor(private readonly database: Database) {}

  async page(listing: Listing, scope: ListScope, filters: EventFilters, page: PageRequest): Promise<PageRows> {
    const [row] = await this.database.read<{ json: string; next_id: string | null }>(selectPage(listing, scope, filters, page));
    const { json, next_id } = row!;
    return { json, nextId: next_id ?? undefined, total: page.from === undefined ? await this.total(listing, scope, filters) : undefined };
  }

  private async total(listing: Listing, scope: ListScope, filters: EventFilters): Promise<number> {
    const [counted] = await this.database.read<{ total: number }>(countListing(listing, scope, filters));
    if (counted!.total <= MAX_EXACT_TOTAL) return counted!.total;
    const [estimated] = await this.database.read<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      estimateListing(listing, scope, filters),
    );
    return Math.max(counted!.total, Math.round(estimated!['QUERY PLAN'][0].Plan['Plan Rows']));
  }
}
