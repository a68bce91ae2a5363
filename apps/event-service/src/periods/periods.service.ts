import { SettledTime } from '@fibre/settled-time';
import { countRecords, Database, type Limit, Limits, type Listing, readFrom, type Statement } from '@fibre/database';
import { formatTimestamp, TIME_ZONE_RELEASE, Timestamp } from '@fibre/dto';
import { type Page, type PageQuery, type PageRequest, type PageRows, readPage } from '@fibre/pagination';
import { invalidRequest } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { type Closing, windowOfClosing } from '../closings/closing.entity.js';
import { ClosingsRepository } from '../closings/closings.repository.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { type SentWindow, type Window, WINDOW_RELEASE, windowOf } from '../timeline/period-window.js';
import type { ChargedQuery, CorrectedQuery, ExportPeriodsQuery } from './periods.requests.js';
import { type Account, isOf, MAX_RANK, type PeriodReader, rankOf } from './period-reader.js';
import type { PeriodSearch } from './period-steps.sql.js';
import { exportPeriods, periodListing } from './periods.sql.js';
import { exportTotals, totalListing } from './totals.sql.js';

/** The header with the instant up to which recorded events count. */
export const RECORDED_UNTIL = 'x-recorded-until';

/** Milliseconds that a page waits for the tenant's previous page. */
const MAX_WAIT_MS = 5_000;

/** Steps, the entities whose steps have changed, or the sums of steps by ISP and article. */
export type PeriodListing = 'periods' | 'corrections' | 'totals';

/** A valid query for any of the listings. */
type Asked = Partial<ChargedQuery & Omit<CorrectedQuery, keyof ChargedQuery>> & { readonly partner_id?: string };

/** What a query asks for, once its closings have been read. */
interface Resolved {
  /** One for each account, in the order of the listing. */
  readonly searches: readonly Omit<PeriodSearch, 'recordedUntil'>[];
  readonly window: Window;
  /** The release of the zone database that the window was cut with. */
  readonly release: string;
  readonly recordedFrom?: Date;
  /** Absent if it is to be what is settled when the walk begins. */
  readonly recordedUntil?: Date;
  /** The instant of the closing whose corrections are asked for. */
  readonly closedAt?: Date;
}

/** The steps that billing charges for, and the corrections to them. */
@Injectable()
export class PeriodsService {
  /** A page derives steps from all events that may concern it, which may take seconds for an entity with very many events. */
  private readonly limit: Limit;

  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesService,
    private readonly closings: ClosingsRepository,
    private readonly settled: SettledTime,
    limits: Limits,
  ) {
    this.limit = limits.add('queries of periods', { perClient: 1, maxWaitMs: MAX_WAIT_MS });
  }

  /** A tenant that reads its own periods. @throws Problem 422 if namespaces are disabled */
  async readerOf(tenant: string, namespace: string | undefined): Promise<PeriodReader> {
    return { tenant, namespace, accounts: [{ tenant, namespaceId: await this.namespaces.forReading(tenant, namespace) }] };
  }

  /**
   * @throws Problem 422 if there is no such closing, the cursor belongs to another listing, or recorded_until isn't settled or is before
   * recorded_from; 503 if the tenant's previous pages take too long
   */
  async list(what: PeriodListing, reader: PeriodReader, query: PageQuery & Asked): Promise<Page> {
    const { _page_size, _page_cursor, ...filters } = query;
    const resolved = await this.resolve(what, reader, query);
    const read = async (request: PageRequest): Promise<PageRows> => {
      const recordedMs = request.carried?.[1];
      // This must come before the steps are read: see SettledTime.
      const recordedUntil = recordedMs === undefined ? await this.recordedUntil(query, resolved) : new Date(recordedMs);
      const searches = resolved.searches.map((search) => ({ ...search, recordedUntil }));
      const rows = await this.limit.run(reader.tenant, () => this.read(what, searches, request));
      return { ...rows, headers: headersOf(resolved, recordedUntil) };
    };
    const latest = _page_cursor && (await this.settled.latest());
    const greatest = { periods: microsecondsOf(resolved.window) - 1, corrections: 0, totals: Number.MAX_SAFE_INTEGER }[what];
    const { tenant: caller, namespace, showsTenant } = reader;
    return readPage(query, what, { caller, namespace, showsTenant, ...filters }, read, [greatest, latest?.getTime() ?? 0, MAX_RANK]);
  }

  /**
   * All steps or totals, for COPY, and the headers of the file.
   *
   * @throws Problem 422 as for {@link list}
   */
  async export(
    what: 'periods' | 'totals',
    reader: PeriodReader,
    query: ExportPeriodsQuery,
  ): Promise<{ statement: Statement; headers: Record<string, string> }> {
    const resolved = await this.resolve(what, reader, query);
    const recordedUntil = await this.recordedUntil(query, resolved);
    const statement = (what === 'periods' ? exportPeriods : exportTotals)(query.format, { ...resolved.searches[0]!, recordedUntil });
    return { statement, headers: headersOf(resolved, recordedUntil) };
  }

  /**
   * Reads a page of one account after the other. `carried` has the number of the first record within its entity or, in a listing of totals,
   * within its account; what has been recorded; and the account's rank.
   */
  private async read(
    what: PeriodListing,
    searches: readonly PeriodSearch[],
    { size, from, carried: [first = 0, _recorded, firstRank = 0] = [] }: PageRequest,
  ): Promise<PageRows> {
    const listings = searches.map(what === 'totals' ? totalListing : periodListing);
    const json: string[] = [];
    let [records, bytes] = [0, 0];
    for (const [index, listing] of listings.entries()) {
      const search = searches[index]!;
      const rank = rankOf(search);
      if (rank < firstRank) continue;
      // Totals have no id.
      const start = from !== undefined && rank === firstRank ? [from, first].slice(-listing.order.length) : undefined;
      // Once the page is full, this only finds the record after it.
      const page = await readFrom(this.database, listing, { size: size - records, from: start, bytesBefore: bytes });
      json.push(...page.json);
      records += page.records;
      bytes += page.json.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
      if (!page.next) continue;
      const [number, nextId = NIL] = page.next.toReversed() as [number, string?];
      const total = from === undefined ? await this.count(listings) : undefined;
      return { json, total, nextId, carried: [number, search.recordedUntil.getTime(), rank] };
    }
    return { json, total: records };
  }

  private async count(listings: readonly Listing[]): Promise<number> {
    let sum = 0;
    for (const listing of listings) sum += (await countRecords(this.database, listing)).count;
    return sum;
  }

  private async recordedUntil({ recorded_until: asked }: Asked, { recordedFrom, recordedUntil, closedAt }: Resolved): Promise<Date> {
    const settled = await this.settled.now();
    // The settled instant can move back, but what was settled once stays settled.
    const until = recordedUntil ?? (asked ? recordedAt(asked) : closedAt && closedAt > settled ? closedAt : settled);
    if (asked && until > settled) {
      const detail = `must not be later than the latest settled instant, ${formatTimestamp(settled)}`;
      throw invalidRequest([{ parameter: 'recorded_until', detail }], 'Omit recorded_until to use the latest settled instant.');
    }
    if (recordedFrom && recordedFrom > until) {
      const [parameter, end] = [closedAt ? 'closing' : 'recorded_from', recordedUntil ? 'until_closing' : 'recorded_until'];
      throw invalidRequest([{ parameter, detail: `is after ${end}, ${formatTimestamp(until)}` }]);
    }
    return until;
  }

  /** Replaces closings by what they say. @throws Problem 422 that names every closing that cannot be used */
  private async resolve(what: PeriodListing, { accounts, showsTenant }: PeriodReader, query: Asked): Promise<Resolved> {
    const closings = {
      closing: await this.closingFor(accounts, query.closing),
      until_closing: await this.closingFor(accounts, query.until_closing),
    };
    const unknown = Object.entries(closings).filter(([, closing]) => closing === null);
    if (unknown.length > 0)
      throw invalidRequest(unknown.map(([parameter]) => ({ parameter, detail: 'is not a closing that you can read' })));
    const { closing, until_closing: until } = closings;
    const window = closing ? windowOfClosing(closing) : windowOf(query as SentWindow);
    const partner_id = closing ? (closing.partner_id ?? undefined) : query.partner_id;
    const owners = accounts.filter(({ tenant }) => [closing, until].every((used) => !used || used.tenant === tenant));
    if (until && owners.length === 0) throw invalidRequest([{ parameter: 'until_closing', detail: 'is a closing of another operator' }]);
    const recordedFrom = what === 'corrections' ? (closing?.recorded_until ?? recordedAt(query.recorded_from!)) : undefined;
    const { entity_id, article_code } = query;
    const search = { ...window, recordedFrom, entity_id, article_code, showsTenant };
    return {
      searches: owners
        .map((account) => ({ ...account, ...search, partner_id: account.partner_id ?? partner_id }))
        .sort((a, b) => rankOf(a) - rankOf(b)),
      window,
      recordedFrom,
      release: closing?.timezone_release ?? TIME_ZONE_RELEASE,
      recordedUntil: (recordedFrom ? until : closing)?.recorded_until,
      closedAt: recordedFrom && closing?.recorded_until,
    };
  }

  /** @returns `undefined` if none is asked for, `null` if the reader cannot read it */
  private async closingFor(accounts: readonly Account[], closing_id: string | undefined): Promise<Closing | null | undefined> {
    if (closing_id === undefined) return undefined;
    const scopes = accounts.map(({ tenant, namespaceId }) => ({ tenant, namespace_id: namespaceId }));
    const closing = await this.closings.find(scopes, closing_id);
    return closing && accounts.some((account) => isOf(account, closing)) ? closing : null;
  }
}

const headersOf = ({ release }: Resolved, recordedUntil: Date): Record<string, string> => ({
  [RECORDED_UNTIL]: formatTimestamp(recordedUntil),
  [WINDOW_RELEASE]: release,
});

/** Events are recorded in whole milliseconds. */
const recordedAt = ({ instant }: Timestamp): Date => new Date(instant.epochMilliseconds);

const microsecondsOf = ({ from, to }: Window): number => from.instant.until(to.instant).total('microseconds');
