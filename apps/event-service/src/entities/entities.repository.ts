import { countRecords, Database, readListing } from '@fibre/database';
import type { Timestamp } from '@fibre/dto';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { NIL as LEAST_ID } from 'uuid';
import { DistributionService } from '../distribution/distribution.service.js';
import type { TimelineKey } from '../timeline/timeline.js';
import { selectEntity } from './entity.sql.js';
import {
  type EntityFilters,
  entityListing,
  type EntityScope,
  type EntityWindow,
  isContradiction,
  isWindowed,
  selectNextWindow,
  WINDOW,
} from './entity-list.sql.js';

/** Milliseconds after which no more windows are counted. */
const COUNT_MS = 100;

@Injectable()
export class EntitiesRepository {
  constructor(
    private readonly database: Database,
    private readonly distribution: DistributionService,
  ) {}

  async page(scope: EntityScope, filters: EntityFilters, page: PageRequest): Promise<PageRows> {
    if (isContradiction(filters)) return { json: [], total: 0 };
    return isWindowed(filters) ? this.pageByWindows(scope, filters, page) : readListing(this.database, this.listing(scope, filters), page);
  }

  /** @returns the entity as of an instant, or now */
  async find(key: TimelineKey, at: Timestamp | undefined): Promise<string | undefined> {
    const [row] = await this.database.run<{ json: string }>(selectEntity(key, at));
    return row?.json;
  }

  /**
   * A page from one window, so that each statement reads a limited number of entities. Windows without a match are skipped, because a client
   * may take an empty page for the end (SPEC section 4.3).
   */
  private async pageByWindows(scope: EntityScope, filters: EntityFilters, { size, from }: PageRequest): Promise<PageRows> {
    for (
      let window = await this.windowFrom(scope, filters, from ?? LEAST_ID);
      ;
      window = await this.windowFrom(scope, filters, window.until)
    ) {
      const page = await readListing(this.database, this.listing(scope, filters, { until: window.until }), { size, from: window.from });
      const nextId = page.nextId ?? window.until;
      if (page.json.length === 0 && window.until !== undefined) continue;
      return { json: page.json, nextId, total: from === undefined ? await this.countByWindows(scope, filters) : undefined };
    }
  }

  /** Exact if all windows are counted in time, otherwise extrapolated from the counted ones. */
  private async countByWindows(scope: EntityScope, filters: EntityFilters): Promise<number> {
    const end = performance.now() + COUNT_MS;
    let counted = 0;
    let window = await this.windowFrom(scope, filters, LEAST_ID);
    for (let candidates = WINDOW; ; candidates += WINDOW) {
      counted += await countRecords(this.database, this.listing(scope, filters, window));
      if (window.until === undefined) return counted;
      if (performance.now() > end) return Math.round((counted / candidates) * (await this.countCandidates(scope, filters)));
      window = await this.windowFrom(scope, filters, window.until);
    }
  }

  /** Number of entities in the windows. */
  private countCandidates(scope: EntityScope, { at, partner_id }: EntityFilters): Promise<number> {
    const candidates: EntityFilters = at ? {} : partner_id === undefined ? { state: 'active' } : { partner_id };
    return countRecords(this.database, this.listing(scope, candidates));
  }

  private async windowFrom(
    scope: EntityScope,
    filters: EntityFilters,
    from: string,
  ): Promise<Required<Pick<EntityWindow, 'from'>> & EntityWindow> {
    const [next] = await this.database.run<{ entity_id: string }>(selectNextWindow(scope, filters, from));
    return { from, until: next?.entity_id };
  }

  private listing(scope: EntityScope, filters: EntityFilters, window?: EntityWindow): ReturnType<typeof entityListing> {
    return entityListing(scope, filters, this.distribution.isDistributed, window);
  }
}
