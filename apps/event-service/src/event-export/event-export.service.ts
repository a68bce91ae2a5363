import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { ListScope } from '../event-lists/event-filters.sql.js';
import { FRESH_HOURS } from '../event-lists/event-lists.service.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { EventExportRepository } from './event-export.repository.js';
import type { ExportEventsQuery } from './event-export.requests.js';

export const EXPORT_MAX_SECONDS = Symbol('EXPORT_MAX_SECONDS');

@Injectable()
export class EventExportService {
  /** Milliseconds that an export may take. */
  readonly maxMs: number;

  constructor(
    private readonly repository: EventExportRepository,
    private readonly namespaces: NamespacesService,
    @Inject(FRESH_HOURS) private readonly freshHours: number,
    @Inject(EXPORT_MAX_SECONDS) maxSeconds: number,
  ) {
    this.maxMs = maxSeconds * 1_000;
  }

  /** @throws Problem 422 if namespaces are disabled */
  async copy(
    tenant: string,
    namespace: string | undefined,
    { format, ...filters }: ExportEventsQuery,
    consume: (bytes: Readable) => Promise<void>,
  ): Promise<void> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const scope: ListScope = { tenant, namespaceId, now: new Date(), freshHours: this.freshHours };
    await this.repository.copy(format === 'csv' ? 'columns' : 'json', scope, filters, consume, this.maxMs);
  }
}
