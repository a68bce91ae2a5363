import { CHANGE_FEEDS, ListedFeed } from '@fibre/changes';
import { SettledTime } from '@fibre/settled-time';
import { Database } from '@fibre/database';
import { Global, Module } from '@nestjs/common';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import { ChangesCleanUp } from './changes-clean-up.js';
import { NodeChangesController } from './node-changes.controller.js';
import { type NodeChangeFilters, nodeChanges } from './node-changes.sql.js';
import { publishAll } from './publication.sql.js';

function createFeeds(database: Database, settled: SettledTime, env: CoverageEnv): ReadonlyMap<string, ListedFeed> {
  const createFeed = (name: string, isOfAllTenants: boolean): ListedFeed =>
    new ListedFeed(database, settled, {
      nameOf: ({ tenant }) => `changes of ${name} of ${isOfAllTenants ? 'everybody' : tenant}`,
      record: 'node',
      retentionDays: env.CHANGES_RETENTION_DAYS,
      publish: publishAll,
      listing: ({ tenant }, filters: NodeChangeFilters, ...times) => nodeChanges(isOfAllTenants ? undefined : tenant, filters, ...times),
    });
  return new Map([
    ['nodes', createFeed('nodes', false)],
    ['search', createFeed('search', true)],
  ]);
}

/** Feeds of node changes, for clients that keep a copy. */
@Global()
@Module({
  controllers: [NodeChangesController],
  providers: [ChangesCleanUp, { provide: CHANGE_FEEDS, useFactory: createFeeds, inject: [Database, SettledTime, COVERAGE_ENV] }],
  exports: [CHANGE_FEEDS],
})
export class NodeChangesModule {}
