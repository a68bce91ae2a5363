import type { Readable } from 'node:stream';
import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import {
  COUNTED,
  countCandidates,
  countPeriods,
  exportPeriods,
  type PeriodPlace,
  type PeriodsAs,
  type PeriodSearch,
  selectCountedUntil,
  selectPeriods,
} from './periods.sql.js';

/** Records as PostgreSQL wrote them, and the start of the next page. */
export interface PeriodRows {
  readonly json: readonly string[];
  readonly next?: PeriodPlace;
  /** Records in the whole listing; only counted with its first page. */
  readonly total?: number;
}

/** Options of COPY. JSON text contains neither of these two characters, so COPY quotes nothing. */
const OPTIONS: Readonly<Record<PeriodsAs, string>> = {
  columns: 'format csv, header',
  json: `format csv, quote E'\\x01', delimiter E'\\x02'`,
};

/** Reads from the primary, because a replica may lack events up to `recorded_until`. */
@Injectable()
export class PeriodsRepository {
  constructor(private readonly database: Database) {}

  async page(search: PeriodSearch, size: number, place?: PeriodPlace): Promise<PeriodRows> {
    const rows = await this.database.run<{ entity_id: string; n: number; json: string | null }>(selectPeriods(search, size, place));
    const json = rows.flatMap((row) => row.json ?? []);
    const after = rows[json.length];
    const next = after && { entityId: after.entity_id, skipped: after.n - 1 };
    if (place) return { json, next };
    return { json, next, total: next ? await this.count(search) : json.length };
  }

  /** Exact, unless so many entities may have records that the count is extrapolated from a part of them. */
  private async count(search: PeriodSearch): Promise<number> {
    const [until] = await this.database.run<{ entity_id: string }>(selectCountedUntil(search));
    const [counted] = await this.database.run<{ total: number }>(countPeriods(search, until?.entity_id));
    if (!until) return counted!.total;
    const [candidates] = await this.database.run<{ total: number }>(countCandidates(search));
    return Math.round((counted!.total * candidates!.total) / COUNTED);
  }

  copy(exportedAs: PeriodsAs, search: PeriodSearch, consume: (bytes: Readable) => Promise<void>, maxMs: number): Promise<void> {
    return this.database.copyOut(exportPeriods(exportedAs, search), OPTIONS[exportedAs], consume, maxMs);
  }
}
