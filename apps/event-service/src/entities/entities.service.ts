import { countRecords, Database, readListing } from '@fibre/database';
import { type Page, type PageRequest, type PageRows, readPage } from '@fibre/pagination';
import { found, recordNotFound } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { NIL as LEAST_ID } from 'uuid';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { keyOf } from '../timeline/event-id.js';
import type { Scope } from '../timeline/timeline.js';
import type { ErasePersonalDataQuery, ListEntitiesQuery, ReadEntityQuery } from './entities.requests.js';
import { selectEntity } from './entity.sql.js';
import { PersonalData } from './personal-data.js';
import { type EntityFilters, entityListing, type EntityWindow, isWindowed, selectNextWindow, WINDOW } from './entity-list.sql.js';

/** Milliseconds after which no more windows are counted. */
const COUNT_MS = 100;

/** Entities, derived from their timelines. Every method sees only the entities of the tenant and namespace it is given. */
@Injectable()
export class EntitiesService {
  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesService,
    private readonly personalData: PersonalData,
  ) {}

  /** @throws Problem 422 if namespaces are disabled or the cursor belongs to another listing */
  async list(tenant: string, namespace: string | undefined, query: ListEntitiesQuery): Promise<Page> {
    const scope = { tenant, namespaceId: await this.namespaces.forReading(tenant, namespace) };
    const { _page_size, _page_cursor, ...filters } = query;
    return readPage(query, 'entities', { tenant, namespace, ...filters }, async (page) => {
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
  async erase(
    tenant: string,
    actor: string | null,
    namespace: string | undefined,
    entityId: string,
    { line }: ErasePersonalDataQuery,
  ): Promise<void> {
    const key = keyOf(tenant, await this.namespaces.forReading(tenant, namespace), entityId);
    if (!(await this.personalData.erase(key, actor, line === 'true'))) throw recordNotFound('entity', entityId);
  }

  /**
   * Reads a page from one window, so that each statement reads a limited number of entities. Windows without a match are skipped, because a
   * client may take an empty page for the end (SPEC section 4.3).
   */
  private async pageByWindows(scope: Scope, filters: EntityFilters, { size, from }: PageRequest): Promise<PageRows> {
    let page: PageRows = { json: [] };
    for await (const { from: first, until } of this.windows(scope, filters, from)) {
      const { json, nextId = until } = await readListing(this.database, entityListing(scope, filters, { until }), { size, from: first });
      page = { json, nextId };
      if (json.length > 0) break;
    }
    return { ...page, total: from === undefined ? await this.countByWindows(scope, filters) : undefined };
  }

  /** The total: exact if all windows are counted in time, otherwise extrapolated from the counted ones. */
  private async countByWindows(scope: Scope, filters: EntityFilters): Promise<number> {
    const end = performance.now() + COUNT_MS;
    let [counted, candidates] = [0, 0];
    for await (const window of this.windows(scope, filters)) {
      counted += (await countRecords(this.database, entityListing(scope, filters, window))).count;
      candidates += WINDOW;
      if (window.until !== undefined && performance.now() > end)
        return Math.round((counted / candidates) * (await this.countCandidates(scope, filters)));
    }
    return counted;
  }

  /** Number of entities in all windows. */
  private async countCandidates(scope: Scope, { at, partner_id }: EntityFilters): Promise<number> {
    const candidates: EntityFilters = at ? {} : partner_id === undefined ? { state: 'active' } : { partner_id };
    return (await countRecords(this.database, entityListing(scope, candidates))).count;
  }

  private async *windows(scope: Scope, filters: EntityFilters, first: string = LEAST_ID): AsyncGenerator<EntityWindow> {
    for (let from: string | undefined = first; from !== undefined;) {
      const [next]: { entity_id: string }[] = await this.database.run(selectNextWindow(scope, filters, from));
      yield { from, until: next?.entity_id };
      from = next?.entity_id;
    }
  }
}
