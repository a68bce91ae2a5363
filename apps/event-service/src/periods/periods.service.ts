import type { Readable } from 'node:stream';
import { SettledTime } from '@fibre/changes';
import type { Timestamp } from '@fibre/dto';
import { type Page, type PageQuery, readPage } from '@fibre/pagination';
import { invalidRequest } from '@fibre/problems';
import { Inject, Injectable } from '@nestjs/common';
import { EVENT_ENV, type EventEnv } from '../event.env.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { momentOf } from './period-window.js';
import { PeriodsRepository } from './periods.repository.js';
import type { ExportPeriodsQuery, ListCorrectionsQuery, ListPeriodsQuery } from './periods.requests.js';
import type { PeriodSearch } from './periods.sql.js';

/** The header with the instant up to which recorded events count. */
export const RECORDED_UNTIL = 'x-recorded-until';
/** An instant in the format of responses. */
const shown = (instant: Date): string => instant.toISOString().replace('Z', '+00:00');

/** What billing charges: the steps of a tenant's entities in a namespace, and what has changed. */
@Injectable()
export class PeriodsService {
  /** Milliseconds that an export may take. */
  readonly maxExportMs: number;

  constructor(
    private readonly repository: PeriodsRepository,
    private readonly namespaces: NamespacesService,
    private readonly settled: SettledTime,
    @Inject(EVENT_ENV) env: Pick<EventEnv, 'EXPORT_MAX_SECONDS'>,
  ) {
    this.maxExportMs = env.EXPORT_MAX_SECONDS * 1_000;
  }

  /** @throws Problem 422 if namespaces are disabled, the cursor belongs to another listing, or recorded_until isn't settled */
  list(tenant: string, namespace: string | undefined, query: ListPeriodsQuery): Promise<Page> {
    return this.page('periods of', tenant, namespace, query);
  }

  /** @throws Problem 422 as for {@link list}, and if recorded_from is after recorded_until */
  listCorrections(tenant: string, namespace: string | undefined, query: ListCorrectionsQuery): Promise<Page> {
    return this.page('corrections of', tenant, namespace, query, query.recorded_from);
  }

  /**
   * Passes on all steps as a file.
   *
   * @param begin called with the instant up to which events count, before the first bytes
   * @throws Problem 422 as for {@link list}
   */
  async copy(
    tenant: string,
    namespace: string | undefined,
    query: ExportPeriodsQuery,
    begin: (headers: Readonly<Record<string, string>>) => void,
  ): Promise<(consume: (bytes: Readable) => Promise<void>) => Promise<void>> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const recordedUntil = await this.recordedUntil(query.recorded_until);
    begin({ [RECORDED_UNTIL]: shown(recordedUntil) });
    const search = { ...searchOf(query), tenant, namespaceId, recordedUntil };
    return (consume) => this.repository.copy(query.format, search, consume, this.maxExportMs);
  }

  private async page(
    what: string,
    tenant: string,
    namespace: string | undefined,
    query: ListPeriodsQuery & PageQuery,
    from?: Timestamp,
  ): Promise<Page> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const { _page_size, _page_cursor, ...filters } = query;
    const listing = [what, tenant, ...(namespace === undefined ? [] : ['in', namespace])].join(' ');
    return readPage(query, listing, filters, async ({ size, from: entityId, carried: [skipped = 0, recordedMs] = [] }) => {
      // Before the steps are read: see SettledTime.
      const recordedUntil = recordedMs === undefined ? await this.recordedUntil(query.recorded_until) : new Date(recordedMs);
      const recordedFrom = from && recordedAt(from);
      if (recordedFrom && recordedFrom > recordedUntil)
        throw invalidRequest([{ parameter: 'recorded_from', detail: `must be at most recorded_until, ${shown(recordedUntil)}` }]);
      const search = { ...searchOf(query), tenant, namespaceId, recordedUntil, recordedFrom };
      const { json, next, total } = await this.repository.page(search, size, entityId === undefined ? undefined : { entityId, skipped });
      const headers = { [RECORDED_UNTIL]: shown(recordedUntil) };
      return { json, total, headers, nextId: next?.entityId, carried: next && [next.skipped, recordedUntil.getTime()] };
    });
  }

  private async recordedUntil(asked: Timestamp | undefined): Promise<Date> {
    const settled = await this.settled.now();
    if (asked === undefined) return settled;
    const recordedUntil = recordedAt(asked);
    if (recordedUntil > settled) {
      const detail = `must be settled: at most ${shown(settled)} right now`;
      throw invalidRequest([{ parameter: 'recorded_until', detail }], 'Omit it to use the latest settled instant.');
    }
    return recordedUntil;
  }
}

/** Events are recorded with whole milliseconds. */
const recordedAt = ({ instant }: Timestamp): Date => new Date(instant.epochMilliseconds);

/** The window has already been validated. */
const searchOf = ({ from, to, timezone, partner_id, entity_id, article_code }: ListPeriodsQuery | ExportPeriodsQuery) =>
  ({
    ...{ from: momentOf(from, timezone)!, to: momentOf(to, timezone)! },
    ...{ partner_id, entity_id, article_code },
  }) satisfies Partial<PeriodSearch>;
