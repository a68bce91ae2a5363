import { SettledTimeModule } from '@fibre/settled-time';
import { WebhooksModule } from '@fibre/webhooks';
import { DatabaseModule } from '@fibre/database';
import { databaseSettings, ServerModule } from '@fibre/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccessNodesModule } from './access-nodes/access-nodes.module.js';
import { COVERAGE_ENV, type CoverageEnv } from './coverage.env.js';
import { CoverageSearchModule } from './coverage-search/coverage-search.module.js';
import { Spool } from './files/spool.js';
import { FindModule } from './find/find.module.js';
import { MapTilesModule } from './map-tiles/map-tiles.module.js';
import { NodeChangesModule } from './node-changes/node-changes.module.js';
import { NodeChangeFilters, WebhookNodeFilters } from './node-changes/node-changes.requests.js';
import { NodeExportModule } from './node-export/node-export.module.js';
import { NodeImportModule } from './node-import/node-import.module.js';
import { MAX_MS as LONGEST_MS } from './node-import/node-import.service.js';
import { OverviewModule } from './overview/overview.module.js';
import { PlaceSearchModule } from './place-search/place-search.module.js';
import { PortalModule } from './portal/portal.module.js';
import { portalOptions } from './portal/portal.options.js';
import { PublishedRelationsModule } from './published-relations/published-relations.module.js';
import { RelationNodesModule } from './relation-nodes/relation-nodes.module.js';
import { RelationsModule } from './relations/relations.module.js';
import { schema } from './schema.js';

@Module({})
export class AppModule {
  static forRoot(env: CoverageEnv, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      global: true,
      // A copy, because Nest reads the `constructor` of a value, and envalid's proxy rejects that.
      providers: [{ provide: COVERAGE_ENV, useValue: { ...env } }, Spool],
      exports: [COVERAGE_ENV, Spool],
      imports: [
        ServerModule.forRoot('coverage-service', env),
        DatabaseModule.forRoot({
          ...databaseSettings(env),
          url: databaseUrl,
          replicaUrl: env.DATABASE_REPLICA_URL,
          replicaMaxLagSeconds: env.REPLICA_MAX_LAG_SECONDS,
          applicationName: 'coverage-service',
          ...schema,
        }),
        SettledTimeModule.forRoot({ settleSeconds: env.SETTLE_SECONDS, longestRequestSeconds: LONGEST_MS / 1_000 }),
        // Before AccessNodesModule, because the first matching route wins: `changes` and `export` would otherwise be taken for node ids.
        NodeChangesModule,
        NodeExportModule,
        NodeImportModule,
        ...(env.PORTAL_ENABLED ? [PortalModule.forRoot(portalOptions(env))] : []),
        AccessNodesModule,
        RelationNodesModule,
        RelationsModule,
        CoverageSearchModule,
        PublishedRelationsModule,
        PlaceSearchModule,
        MapTilesModule,
        OverviewModule,
        FindModule,
        WebhooksModule.forRoot({
          path: 'v2/cov/webhooks',
          feeds: {
            nodes: { read: 'coverage:read', manage: 'coverage:write', source: '/v2/cov/nodes/changes/' },
            search: { read: 'coverage:search', manage: 'coverage:search', source: '/v2/cov/search/changes/' },
          },
          filters: { sent: WebhookNodeFilters, shown: NodeChangeFilters },
          sendsHttp: env.NODE_ENV !== 'production',
          allowedAddresses: env.WEBHOOK_ALLOW_CIDRS,
        }),
      ],
    };
  }
}
