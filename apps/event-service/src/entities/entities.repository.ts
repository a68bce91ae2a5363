import { countRecords, Database, readListing } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { NIL as LEAST_ID } from 'uuid';
import { DistributionService } from '../distribution/distribution.service.js';
import type { TimelineKey } from '../events/event.js';
import {
  type EntityFilters,
  entityListing,
  type EntityScope,
  type EntityWindow,
  isContradiction,
  isWindowed,
  selectEntity,
  selectNextWindow,
  WINDOW,
} from './entities.sql.js';

/** Milliseconds after which no further window is counted. */
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

  async find(key: TimelineKey): Promise<string | undefined> {
    const [row] = await this.database.run<{ json: string }>(selectEntity(key));
    return row?.json;
  }

  /**
   * A page of what one window has, so that no statement goes through more than that. Windows where nobody passes are passed over: a
   * client may take an empty page for the end (SPEC section 4.3).
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

  /** Exact where all windows are counted in time, otherwise by the part that passes in those that are. */
  private async countByWindows(scope: EntityScope, filters: EntityFilters): Promise<number> {
    const end = performance.now() + COUNT_MS;
    let counted = 0;
    let window = await this.windowFrom(scope, filters, LEAST_ID);
    for (let looked = WINDOW; ; looked += WINDOW) {
      counted += await countRecords(this.database, this.listing(scope, filters, window));
      if (window.until === undefined) return counted;
      if (performance.now() > end) return Math.round((counted / looked) * (await this.countCandidates(scope, filters)));
      window = await this.windowFrom(scope, filters, window.until);
    }
  }

  /** Those that are looked at. */
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
