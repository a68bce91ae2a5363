import type { Readable } from 'node:stream';
import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { EventFilters, ListScope } from '../event-lists/event-filters.sql.js';
import { type ExportedAs, exportEvents } from './event-export.sql.js';

/** Options of COPY. JSON text contains neither of these two characters, so COPY quotes nothing. */
const OPTIONS: Readonly<Record<ExportedAs, string>> = {
  columns: 'format csv, header',
  json: `format csv, quote E'\\x01', delimiter E'\\x02'`,
};

@Injectable()
export class EventExportRepository {
  constructor(private readonly database: Database) {}

  copy(
    exportedAs: ExportedAs,
    scope: ListScope,
    filters: EventFilters,
    consume: (bytes: Readable) => Promise<void>,
    maxMs: number,
  ): Promise<void> {
    return this.database.copyOut(exportEvents(exportedAs, scope, filters), OPTIONS[exportedAs], consume, maxMs);
  }
}
