import { CHANGE_FEEDS, type FeedOwner, ListedFeed, SettledTime } from '@fibre/changes';
import { Database } from '@fibre/database';
import { type DynamicModule, Module } from '@nestjs/common';
import { CHANGES_RETENTION_DAYS, DeletionsCleanUp } from './deletions-clean-up.js';
import { NodeChangesController } from './node-changes.controller.js';
import { type NodeChangeFilters, nodeChanges } from './node-changes.sql.js';

/** The tenant of a feed, or all tenants. */
const TENANT_OF = { nodes: ({ tenant }: FeedOwner) => tenant, search: () => undefined };

const createFeed = (name: keyof typeof TENANT_OF, retentionDays: number, database: Database, settled: SettledTime): ListedFeed =>
  new ListedFeed(database, settled, {
    nameOf: (owner) => `changes of ${name} of ${TENANT_OF[name](owner) ?? 'everybody'}`,
    record: 'node',
    retentionDays,
    listing: (owner, filters: NodeChangeFilters, ...times) => nodeChanges(TENANT_OF[name](owner), filters, ...times),
  });

/** Feeds of node changes, for clients that keep a copy. */
@Module({})
export class NodeChangesModule {
  static forRoot(retentionDays: number): DynamicModule {
    const createFeeds = (database: Database, settled: SettledTime) =>
      new Map((['nodes', 'search'] as const).map((name) => [name, createFeed(name, retentionDays, database, settled)]));
    return {
      module: NodeChangesModule,
      global: true,
      controllers: [NodeChangesController],
      providers: [
        DeletionsCleanUp,
        { provide: CHANGES_RETENTION_DAYS, useValue: retentionDays },
        { provide: CHANGE_FEEDS, useFactory: createFeeds, inject: [Database, SettledTime] },
      ],
      exports: [CHANGE_FEEDS],
    };
  }
}
