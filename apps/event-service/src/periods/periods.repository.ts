import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { countPeriods, type PeriodPlace, type PeriodSearch, selectPeriods } from './periods.sql.js';

/** Records as PostgreSQL wrote them, and the start of the next page. */
export interface PeriodRows {
  readonly json: readonly string[];
  readonly next?: PeriodPlace;
  /** Records in the whole listing, see {@link countPeriods}; only counted with its first page. */
  readonly total?: number;
}

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
    if (!next) return { json, total: json.length };
    const [counted] = await this.database.run<{ total: number }>(countPeriods(search));
    return { json, next, total: counted!.total };
  }
}
