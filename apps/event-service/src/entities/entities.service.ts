import { countRecords, Database, readListing } from '@fibre/database';
import { type Page, type PageRequest, type PageRows, readPage } from '@fibre/pagination';
import { found, recordNotFound } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { NIL as LEAST_ID } from 'uuid';
import { listingName } from '../namespaces/listing-name.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { keyOf } from '../timeline/event-id.js';
import type { Scope } from '../timeline/timeline.js';
import type { ErasePersonalDataQuery, ListEntitiesQuery, ReadEntityQuery } from './entities.requests.js';
import { eraseEntity, selectEntity } from './entity.sql.js';
import {
  type EntityFilters,
  entityListing,
  type EntityWindow,
  isContradiction,
  isWindowed,
  selectNextWindow,
  WINDOW,
} from './entity-list.sql.js';

/** Milliseconds after which no more windows are counted. */
const COUNT_MS = 100;

/** Entities, derived from their timelines. Every method sees only the entities of the tenant and namespace it is given. */
@Injectable()
export class EntitiesService {
  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesService,
  ) {}

  /** @throws Problem 422 if namespaces are disabled or the cursor belongs to another listing */
  async list(tenant: string, namespace: string | undefined, query: ListEntitiesQuery): Promise<Page> {
    const scope = { tenant, namespaceId: await this.namespaces.forReading(tenant, namespace) };
    const { _page_size, _page_cursor, ...filters } = query;
    return readPage(query, listingName('entities', tenant, namespace), filters, async (page) => {
      if (isContradiction(filters)) return { json: [], total: 0 };
      if (isWindowed(filters)) return this.pageByWindows(scope, filters, page);
      return readListing(this.database, entityListing(scope, filters), page);
    });
  }

  /** @throws Problem 404 */
  async read(tenant: string, namespace: string | undefined, entityId: string, { at }: ReadEntityQuery): Promise<string> {
    const key = keyOf(tenant, await this.namespaces.forReading(tenant, namespace), entityId);
    const [entity] = await this.database.run<{ json: string }>(selectEntity(key, at));
    return found(entity, 'entity', entityId).json;
  }

  /** Clears the user attributes of all events of an entity. Safe to repeat. @throws Problem 404 */
  async erase(tenant: string, namespace: string | undefined, entityId: string, { line }: ErasePersonalDataQuery): Promise<void> {
    const key = keyOf(tenant, await this.namespaces.forReading(tenant, namespace), entityId);
    const [erased] = await this.database.run<{ found: boolean }>(eraseEntity(key, line === 'true'));
    if (!erased?.found) throw recordNotFound('entity', entityId);
  }

  /**
   * Reads a page from one window, so that each statement reads a limited number of entities. Windows without a match are skipped, because a
   * client may take an empty page for the end (SPEC section 4.3).
   */
  private async pageByWindows(scope: Scope, filters: EntityFilters, { size, from }: PageRequest): Promise<PageRows> {
    let window = await this.windowFrom(scope, filters, from ?? LEAST_ID);
    for (;;) {
      const page = await readListing(this.database, entityListing(scope, filters, { until: window.until }), { size, from: window.from });
      const nextId = page.nextId ?? window.until;
      if (page.json.length > 0 || window.until === undefined)
        return { json: page.json, nextId, total: from === undefined ? await this.countByWindows(scope, filters) : undefined };
      window = await this.windowFrom(scope, filters, window.until);
    }
  }

  /** The total: exact if all windows are counted in time, otherwise extrapolated from the counted ones. */
  private async countByWindows(scope: Scope, filters: EntityFilters): Promise<number> {
    const end = performance.now() + COUNT_MS;
    let counted = 0;
    let window = await this.windowFrom(scope, filters, LEAST_ID);
    for (let candidates = WINDOW; ; candidates += WINDOW) {
      counted += (await countRecords(this.database, entityListing(scope, filters, window))).count;
      if (window.until === undefined) return counted;
      if (performance.now() > end) return Math.round((counted / candidates) * (await this.countCandidates(scope, filters)));
      window = await this.windowFrom(scope, filters, window.until);
    }
  }

  /** Number of entities in all windows. */
  private async countCandidates(scope: Scope, { at, partner_id }: EntityFilters): Promise<number> {
    const candidates: EntityFilters = at ? {} : partner_id === undefined ? { state: 'active' } : { partner_id };
    return (await countRecords(this.database, entityListing(scope, candidates))).count;
  }

  private async windowFrom(scope: Scope, filters: EntityFilters, from: string): Promise<EntityWindow & { from: string }> {
    const [next] = await this.database.run<{ entity_id: string }>(selectNextWindow(scope, filters, from));
    return { from, until: next?.entity_id };
  }
}
