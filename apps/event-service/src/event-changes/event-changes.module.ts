import { CHANGE_FEEDS, ListedFeed, SettledTime } from '@fibre/changes';
import { Database } from '@fibre/database';
import { Global, Module } from '@nestjs/common';
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

/** The feed of recorded events, for clients that keep a copy. */
@Global()
@Module({
  controllers: [EventChangesController],
  providers: [
    { provide: ListedFeed, useFactory: createFeed, inject: [Database, SettledTime, NamespacesService] },
    { provide: CHANGE_FEEDS, useFactory: (events: ListedFeed) => new Map([['events', events]]), inject: [ListedFeed] },
  ],
  exports: [CHANGE_FEEDS],
})
export class EventChangesModule {}
