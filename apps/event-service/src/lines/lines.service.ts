import { SettledTime } from '@fibre/settled-time';
import { countRecords, Database, type Limit, Limits, readFrom, type Statement } from '@fibre/database';
import { formatTimestamp, Timestamp } from '@fibre/dto';
import { type Page, type PageRequest, type PageRows, readPage } from '@fibre/pagination';
import { invalidRequest } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { IspsRepository } from '../isps/isps.repository.js';
import { edgeText } from '../timeline/period-window.js';
import { MAX_RANK, rankOf } from '../periods/period-reader.js';
import {
  candidateListing,
  exportLines,
  isWindowed,
  type LineAccount,
  lineListing,
  type LineSearch,
  type LineWindow,
  selectNextWindow,
} from './lines.sql.js';
import type { ExportLinesQuery, ListLinesQuery } from './lines.requests.js';

/** The header with the instant of a list or file. */
export const LINES_AT = 'x-lines-at';

/** Milliseconds that a page waits for the ISP's previous pages. */
const MAX_WAIT_MS = 5_000;

const PRODUCTION = NIL;
/** At an operator that does not exist. */
const NOBODY: LineAccount = { tenant: '', partner_id: NIL };

/** Timelines per window, at least: a page reads twice as many as it has lines, because some may have moved to another ISP. */
const LEAST_WINDOW = 1_000;
/** Milliseconds after which no more windows are counted. */
const COUNT_MS = 100;

type Filters = Omit<LineSearch, 'accounts' | 'at'> & { readonly tenant?: string; readonly partner_id?: string; readonly at?: Timestamp };

/** The lines of an ISP, for the ISP: those whose `partner_id` is in an operator's record that names the caller's tenant. */
@Injectable()
export class LinesService {
  /** An instant in the distant past may need the events of all lines that the ISP ever had. */
  private readonly limit: Limit;

  constructor(
    private readonly database: Database,
    private readonly isps: IspsRepository,
    private readonly settled: SettledTime,
    limits: Limits,
  ) {
    this.limit = limits.add('queries of lines', { perClient: 2, maxWaitMs: MAX_WAIT_MS });
  }

  /** @throws Problem 422 if the instant is not settled or the cursor belongs to another listing; 503 if the ISP's previous pages take too long */
  async list(caller: string, query: ListLinesQuery): Promise<Page> {
    const { _page_size, _page_cursor, ...filters } = query;
    const latest = _page_cursor && (await this.settled.latest());
    const read = (request: PageRequest): Promise<PageRows> => this.limit.run(caller, () => this.read(caller, filters, request));
    return readPage(query, 'lines', { caller, ...filters }, read, [latest?.getTime() ?? 0, MAX_RANK]);
  }

  /** All lines for COPY, and the headers of the file. @throws Problem 422 if the instant is not settled */
  async export(
    caller: string,
    { format, ...filters }: ExportLinesQuery,
  ): Promise<{ statement: Statement; headers: Record<string, string> }> {
    const at = await this.instant(filters.at);
    const accounts = await this.accountsOf(caller, filters);
    return { statement: exportLines(format, searchOf(filters, at, accounts)), headers: headersOf(at) };
  }

  /** `carried` has the instant, if it is the default, in milliseconds, and the rank of the operator of the first line. */
  private async read(caller: string, filters: Filters, { size, from, carried: [ms = 0, rank] = [] }: PageRequest): Promise<PageRows> {
    // This must come before the lines are read: see SettledTime. A later page has the instant of the first, even if the settled one went back.
    const at = from === undefined ? await this.instant(filters.at) : (filters.at ?? timestampOf(new Date(ms)));
    const accounts = await this.accountsOf(caller, filters);
    const search = searchOf(filters, at, accounts);
    const headers = headersOf(at);
    // If the operator has removed the ISP since, the lines of this entity at other operators may come twice.
    const firstTenant = accounts.find((account) => rankOf(account) === rank)?.tenant ?? '';
    const json: string[] = [];
    let records = 0;
    let next: readonly unknown[] | undefined;
    // Windows without a line are skipped, because a client may take an empty page for the end (SPEC section 4.3).
    for await (const window of this.windows(search, size, from)) {
      const first = window.from === undefined ? undefined : [window.from, window.from === from ? firstTenant : ''];
      const page = await readFrom(this.database, lineListing(search, window), { size, from: first });
      json.push(...page.json);
      next = page.next ?? (window.until === undefined ? undefined : [window.until, '']);
      records += page.records;
      if (records > 0) break;
    }
    if (!next) return { json, total: from === undefined ? records : undefined, headers };
    const total = from === undefined ? await this.count(search) : undefined;
    const [nextId, tenant] = next as [string, string];
    return { json, total, headers, nextId, carried: [filters.at ? 0 : at.instant.epochMilliseconds, rankOf({ tenant })] };
  }

  private async *windows(search: LineSearch, size: number, first?: string): AsyncGenerator<LineWindow> {
    for (let window: LineWindow | undefined = { from: first }; window !== undefined;) {
      const { from }: LineWindow = window;
      const find = selectNextWindow(search, from, Math.max(2 * size, LEAST_WINDOW));
      const [next]: { entity_id: string }[] = isWindowed(search) ? await this.database.run(find) : [];
      yield { from, until: next?.entity_id };
      window = next && { from: next.entity_id };
    }
  }

  /** The total: exact if all windows are counted in time, otherwise extrapolated from the counted ones. */
  private async count(search: LineSearch): Promise<number> {
    const end = performance.now() + COUNT_MS;
    let [counted, candidates] = [0, 0];
    for await (const window of this.windows(search, LEAST_WINDOW)) {
      counted += (await countRecords(this.database, lineListing(search, window))).count;
      candidates += (await countRecords(this.database, candidateListing(search, window))).count;
      if (window.until !== undefined && performance.now() > end)
        return Math.round((counted / candidates) * (await countRecords(this.database, candidateListing(search))).count);
    }
    return counted;
  }

  private async instant(asked: Timestamp | undefined): Promise<Timestamp> {
    const settled = await this.settled.now();
    if (!asked) return timestampOf(settled);
    if (!asked.isAfter(settled)) return asked;
    const detail = `must not be later than the latest settled instant, ${formatTimestamp(settled)}`;
    throw invalidRequest([{ parameter: 'at', detail }], 'Omit at to use the latest settled instant.');
  }

  /** The caller at each operator that has registered it, or at one of them; not empty. */
  private async accountsOf(caller: string, { tenant, partner_id }: Filters): Promise<LineAccount[]> {
    const isps = await this.isps.ofIspTenant(PRODUCTION, caller);
    const accounts = isps.filter((isp) => isp.tenant === (tenant ?? isp.tenant) && isp.partner_id === (partner_id ?? isp.partner_id));
    return accounts.length > 0 ? accounts : [NOBODY];
  }
}

const searchOf = (
  { tenant: _tenant, partner_id: _partner, ...filters }: Filters,
  { utc }: Timestamp,
  accounts: readonly LineAccount[],
) => ({ ...filters, at: utc, accounts });

const timestampOf = (moment: Date): Timestamp => Timestamp.parse(moment.toISOString())!;

const headersOf = (at: Timestamp): Record<string, string> => ({ [LINES_AT]: edgeText(at) });
