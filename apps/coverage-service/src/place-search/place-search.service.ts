import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Limit, Limits } from '@fibre/database';
import { Problem } from '@fibre/problems';
import type { StreamedBody } from '@fibre/body';
import { InvalidParts, readPart } from '@fibre/validation';
import { Inject, Injectable } from '@nestjs/common';
import { addressFault } from '../node-rules/platform-rules.js';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import { searchResultJson } from '../coverage-search/coverage-search.response.js';
import { AddressPath } from '../coverage-search/coverage-search.requests.js';
import { CoverageSearchService } from '../coverage-search/coverage-search.service.js';
import { Center } from '../geography/center.js';
import { fileRows } from '../files/file-rows.js';
import { DEGREES, PLACE_COLUMNS, placeColumnFaults, placeOf } from '../files/place.js';
import { faultText, repeated, type RowFault, type SentRow } from '../files/sent-row.js';
import { Spool, type SpoolFile } from '../files/spool.js';
import { type FileFormat, formatOf, isTable } from '../files/file-formats.js';
import { type RowResult, type Header, type Writer, WRITERS } from './place-search.response.js';
import { placeSearchProblem, tooManyRows } from './place-search.problems.js';
import type { PlaceSearchQuery } from './place-search.requests.js';

/** Longest wait for the caller's previous file, in milliseconds. */
const MAX_WAIT_MS = 10_000;
/** Maximum duration of a search in milliseconds, even if its file arrives slowly. */
export const MAX_MS = 1_800_000;
/** Maximum number of rows that are searched together, and the milliseconds that the first of them waits for the others. */
const [ROWS_AT_ONCE, ROW_WAIT_MS] = [100, 200];
/** Number of characters of the response that are sent at once. */
const CHUNK_LENGTH = 65_536;
/** Milliseconds that the last record, which says why the file ends, has to leave. */
const LAST_RECORD_MS = 200;

const isPlaceColumn = (name: string): boolean => PLACE_COLUMNS.includes(name);
/** Whether a table names addresses instead of places. */
const isAddressFile = (names: readonly string[]): boolean => names.includes('address_id') && !names.some(isPlaceColumn);

/** A request to search around the places in a file. */
export interface PlaceSearch {
  readonly caller: string;
  readonly query: PlaceSearchQuery & { readonly format: FileFormat };
  /** Aborts the search; the signal's reason says why. */
  readonly signal: AbortSignal;
  readonly onEnd: (rows: number) => void;
}

/** Searches around the places in a file while the file arrives. */
@Injectable()
export class PlaceSearchService {
  private readonly limit: Limit;

  constructor(
    private readonly coverage: CoverageSearchService,
    private readonly spool: Spool,
    limits: Limits,
    @Inject(COVERAGE_ENV) private readonly env: CoverageEnv,
  ) {
    this.limit = limits.add('searches for many places', { perClient: 1, maxWaitMs: MAX_WAIT_MS });
  }

  /**
   * Streams the response.
   *
   * @throws Problem 400 unreadable, 413, 422 `file-refused`, 503 another search is running or the disk is full
   */
  async search(search: PlaceSearch, body: StreamedBody, send: (response: Readable) => Promise<void>): Promise<void> {
    const work = (): Promise<void> => this.spool.withFile((file) => send(Readable.from(this.responseTo(search, body, file))));
    try {
      await this.limit.run(search.caller, work);
    } catch (error) {
      throw placeSearchProblem(error);
    }
  }

  /** A fault after the response has begun becomes the last record of the response. */
  private async *responseTo({ query, signal, onEnd }: PlaceSearch, body: StreamedBody, file: SpoolFile) {
    const sent = formatOf(body.mediaType);
    let header: Header = { names: [], separator: ',', mark: '' };
    const onMark = (): void => void (header = { ...header, mark: '\ufeff' });
    const checkHeader = (names: readonly string[], separator: string): readonly RowFault[] => {
      header = { ...header, names, separator };
      return [
        ...repeated(isTable(query.format) ? names.filter((name) => isPlaceColumn(name) || name === 'address_id') : names),
        ...(isAddressFile(names) ? [] : placeColumnFaults(names, ', or address_id')),
      ];
    };
    // Many clients read the response only after they have sent the file, so the file must not wait for the response.
    const bytes = file.through(body.read(this.env.IMPORT_MAX_BYTES), signal);
    const rows = this.limited(fileRows(sent, bytes, signal, { numbers: DEGREES, onMark, checkHeader }));
    let [writer, count]: [Writer | undefined, number] = [undefined, 0];
    try {
      for await (const batch of inBatches(rows)) {
        const results = await this.rowResults(batch, query, sent, header);
        let text = '';
        if (!writer) text = (writer = WRITERS[query.format](header)).begin;
        for (const result of results) {
          text += writer.record(result);
          if (text.length < CHUNK_LENGTH) continue;
          yield text;
          text = '';
        }
        if (text !== '') yield text;
        count += batch.length;
      }
      onEnd(count);
      yield writer ? writer.end : WRITERS[query.format](header).begin + WRITERS[query.format](header).end;
    } catch (cause) {
      const error = placeSearchProblem(cause);
      if (writer && error instanceof Problem) {
        yield writer.record({ results: [], error: error.message });
        // The reset of the connection discards what has not been sent yet.
        await sleep(LAST_RECORD_MS);
      }
      throw error;
    }
  }

  private async *limited(rows: AsyncIterable<SentRow>): AsyncGenerator<SentRow> {
    let count = 0;
    for await (const row of rows) {
      if (++count > this.env.SEARCH_MAX_ROWS) throw tooManyRows(this.env.SEARCH_MAX_ROWS);
      yield row;
    }
  }

  private async rowResults(rows: readonly SentRow[], query: PlaceSearchQuery, format: FileFormat, { names }: Header): Promise<RowResult[]> {
    const places = rows.map((row) => this.placeOf(row, format, names));
    const centers = places.filter((place) => place instanceof Center);
    const addresses = places.flatMap((place) => ('address_id' in place ? [place.address_id] : []));
    const [near, at] = await Promise.all([this.coverage.searchAll(centers, query), this.coverage.searchAddresses(addresses, query)]);
    const [nextNear, nextAt] = [near.values(), at.values()];
    return rows.map(({ sent }, index) => {
      const place = places[index]!;
      if (place instanceof Center) return { sent, center: place, results: nextNear.next().value!.map(searchResultJson) };
      if ('address_id' in place) return { sent, results: nextAt.next().value! };
      return { sent, results: [], error: faultText(place) + beyond(names, sent) };
    });
  }

  /** Where to search. A file, or a row of a file without columns, that does not say where a place is may name its address. */
  private placeOf({ fields, fault }: SentRow, format: FileFormat, names: readonly string[]): Center | AddressPath | RowFault {
    const { center, ...others } = fields;
    // A feature's place is its point, even if it has a property called center.
    const isFeature = format === 'geojson';
    const hasPlace = isTable(format) ? names.some(isPlaceColumn) : PLACE_COLUMNS.some((name) => fields[name] != null);
    const isAddress = isFeature ? fault?.column === 'geometry' : !fault && !hasPlace;
    if (isAddress && (isTable(format) || fields['address_id'] != null)) return this.addressOf(fields['address_id']);
    return fault ?? placeOf(isFeature ? others : { ...others, center });
  }

  private addressOf(address_id: unknown): AddressPath | RowFault {
    const invalid = new InvalidParts();
    const path = readPart(AddressPath, { address_id }, 'path', invalid);
    const detail = invalid.found[0]?.detail ?? addressFault(this.env, path.address_id);
    return detail === undefined ? path : { column: 'address_id', detail };
  }
}

/** The cells of a row that are in no column, and would be lost without a place in the response. */
function beyond(names: readonly string[], sent: SentRow['sent']): string {
  const cells = typeof sent === 'string' ? [] : sent.slice(names.length);
  return cells.some((cell) => cell !== '') ? `; the cells beyond it are ${JSON.stringify(cells)}` : '';
}

/**
 * Groups rows that arrive together. If reading fails, the rows read so far are yielded before the error is thrown, except in the first
 * group, where only the error is thrown.
 */
async function* inBatches(rows: AsyncGenerator<SentRow>): AsyncGenerator<SentRow[]> {
  let next = rows.next();
  for (let isFirst = true; ; isFirst = false) {
    const batch: SentRow[] = [];
    let late: Promise<'late'> | undefined;
    try {
      while (batch.length < ROWS_AT_ONCE) {
        const row = await (late ? Promise.race([next, late]) : next);
        if (row === 'late') break;
        if (row.done) {
          if (batch.length > 0) yield batch;
          return;
        }
        batch.push(row.value);
        late ??= sleep(ROW_WAIT_MS, 'late' as const, { ref: false });
        next = rows.next();
        // The promise may be awaited late or never; without this handler, its rejection would count as unhandled.
        next.catch(() => undefined);
      }
    } catch (error) {
      if (!isFirst && batch.length > 0) yield batch;
      throw error;
    }
    yield batch;
  }
}
