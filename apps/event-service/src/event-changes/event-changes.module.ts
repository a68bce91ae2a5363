import { CHANGE_FEEDS, ListedFeed } from '@fibre/changes';
import { SettledTime } from '@fibre/settled-time';
import { Database } from '@fibre/database';
import { Global, Module } from '@nestjs/common';
import { LINE_FEED } from '../lines/line-changes.controller.js';
import { LinesModule } from '../lines/lines.module.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { EventChangesController } from './event-changes.controller.js';
import { type EventChangeFilters, eventChanges } from './event-changes.sql.js';

const createFeed = (database: Database, settled: SettledTime, namespaces: NamespacesService): ListedFeed =>
  new ListedFeed(database, settled, {
    nameOf: ({ tenant, namespace }) => JSON.stringify(['event-changes', tenant, namespace]),
    record: 'event',
    listing: async ({ tenant, namespace }, filters: EventChangeFilters, until) =>
      eventChanges({ tenant, namespaceId: await namespaces.forReading(tenant, namespace) }, filters, until),
  });

const createFeeds = (events: ListedFeed, lines: ListedFeed): ReadonlyMap<string, ListedFeed> =>
  new Map([
    ['events', events],
    ['lines', lines],
  ]);

/** The feed of recorded events, for clients that keep a copy, and what webhooks follow. */
@Global()
@Module({
  imports: [LinesModule],
  controllers: [EventChangesController],
  providers: [
    { provide: ListedFeed, useFactory: createFeed, inject: [Database, SettledTime, NamespacesService] },
    { provide: CHANGE_FEEDS, useFactory: createFeeds, inject: [ListedFeed, LINE_FEED] },
  ],
  exports: [CHANGE_FEEDS],
})
export class EventChangesModule {}
