import { SettledTime } from '@fibre/changes';
import { Database, type Limit, Limits, readFrom, type Statement } from '@fibre/database';
import { formatTimestamp, type Timestamp } from '@fibre/dto';
import { type Page, type PageRequest, type PageRows, readPage } from '@fibre/pagination';
import { invalidRequest } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { momentOf } from './period-window.js';
import { type ExportPeriodsQuery, ListCorrectionsQuery, type ListPeriodsQuery } from './periods.requests.js';
import { countPeriods, exportPeriods, periodListing, type PeriodSearch } from './periods.sql.js';

/** The header with the instant up to which recorded events count. */
export const RECORDED_UNTIL = 'x-recorded-until';

/** Milliseconds that a page waits for the tenant's previous page. */
const MAX_WAIT_MS = 5_000;

/** The steps that billing charges for, of a tenant's entities in a namespace, and the corrections to them. */
@Injectable()
export class PeriodsService {
  /** A page derives steps from all events that may concern it, which may take seconds for an entity with very many events. */
  private readonly limit: Limit;

  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesService,
    private readonly settled: SettledTime,
    limits: Limits,
  ) {
    this.limit = limits.add('queries of periods', { perClient: 1, maxWaitMs: MAX_WAIT_MS });
  }

  /**
   * Steps or, with `recorded_from`, the entities whose steps have changed.
   *
   * @throws Problem 422 if namespaces are disabled, the cursor belongs to another listing, or recorded_until isn't settled or is before
   * recorded_from; 503 if the tenant's previous pages take too long
   */
  async list(tenant: string, namespace: string | undefined, query: ListPeriodsQuery | ListCorrectionsQuery): Promise<Page> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const { _page_size, _page_cursor, ...filters } = query;
    const from = query instanceof ListCorrectionsQuery ? query.recorded_from : undefined;
    const listing = [from ? 'corrections of' : 'periods of', tenant, ...(namespace === undefined ? [] : ['in', namespace])].join(' ');
    const window = searchOf(query);
    const read = async ({ size, from: entityId, carried: [sinceFrom = 0, recordedMs] = [] }: PageRequest): Promise<PageRows> => {
      // This must come before the steps are read: see SettledTime.
      const recordedUntil = recordedMs === undefined ? await this.recordedUntil(query.recorded_until) : new Date(recordedMs);
      const recordedFrom = from && recordedAt(from);
      if (recordedFrom && recordedFrom > recordedUntil)
        throw invalidRequest([{ parameter: 'recorded_from', detail: `is after recorded_until, ${formatTimestamp(recordedUntil)}` }]);
      const search = { ...window, tenant, namespaceId, recordedUntil, recordedFrom };
      return this.limit.run(tenant, () => this.read(search, size, entityId === undefined ? undefined : [entityId, sinceFrom]));
    };
    const latest = _page_cursor && (await this.settled.latest());
    return readPage(query, listing, filters, read, [from ? 0 : lengthOf(window) - 1, latest?.getTime() ?? 0]);
  }

  /**
   * All steps, for COPY, and the headers of the file.
   *
   * @throws Problem 422 as for {@link list}
   */
  async export(
    tenant: string,
    namespace: string | undefined,
    query: ExportPeriodsQuery,
  ): Promise<{ statement: Statement; headers: Record<string, string> }> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const recordedUntil = await this.recordedUntil(query.recorded_until);
    const statement = exportPeriods(query.format, { ...searchOf(query), tenant, namespaceId, recordedUntil });
    return { statement, headers: { [RECORDED_UNTIL]: formatTimestamp(recordedUntil) } };
  }

  private async read(search: PeriodSearch, size: number, from?: readonly [entityId: string, sinceFrom: number]): Promise<PageRows> {
    const { json, records, next } = await readFrom(this.database, periodListing(search), { size, from });
    let total = records;
    if (!from && next) total = (await this.database.run<{ total: number }>(countPeriods(search)))[0]!.total;
    const headers = { [RECORDED_UNTIL]: formatTimestamp(search.recordedUntil) };
    const [nextId, sinceFrom] = (next ?? []) as [string, number] | [];
    return { json, total, headers, nextId, carried: next && [sinceFrom!, search.recordedUntil.getTime()] };
  }

  private async recordedUntil(asked: Timestamp | undefined): Promise<Date> {
    const settled = await this.settled.now();
    if (asked === undefined) return settled;
    const recordedUntil = recordedAt(asked);
    if (recordedUntil > settled) {
      const detail = `must not be later than the latest settled instant, ${formatTimestamp(settled)}`;
      throw invalidRequest([{ parameter: 'recorded_until', detail }], 'Omit recorded_until to use the latest settled instant.');
    }
    return recordedUntil;
  }
}

/** Events are recorded in whole milliseconds. */
const recordedAt = ({ instant }: Timestamp): Date => new Date(instant.epochMilliseconds);

/** Microseconds of a window. */
const lengthOf = ({ from, to }: Pick<PeriodSearch, 'from' | 'to'>): number => from.instant.until(to.instant).total('microseconds');

/** The window has already been validated. */
const searchOf = ({ from, to, timezone, partner_id, entity_id, article_code }: ListPeriodsQuery | ExportPeriodsQuery) =>
  ({
    ...{ from: momentOf(from, timezone)!, to: momentOf(to, timezone)! },
    ...{ partner_id, entity_id, article_code },
  }) satisfies Partial<PeriodSearch>;
