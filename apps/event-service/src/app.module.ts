import { ChangesModule, WebhooksModule } from '@fibre/changes';
import { DatabaseModule } from '@fibre/database';
import { databaseLimits, ServerModule, settleSeconds } from '@fibre/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { schema } from './schema.js';
import { EventChangesModule } from './event-changes/event-changes.module.js';
import { FilteredEventChanges } from './event-changes/event-changes.requests.js';
import { EventExportModule } from './event-export/event-export.module.js';
import { EventListsModule } from './event-lists/event-lists.module.js';
import type { EventEnv } from './event.env.js';
import { EntitiesModule } from './entities/entities.module.js';
import { EventsModule } from './events/events.module.js';
import { IspsModule } from './isps/isps.module.js';
import { NamespacesModule } from './namespaces/namespaces.module.js';
import { OverviewModule } from './overview/overview.module.js';
import { PeriodsModule } from './periods/periods.module.js';

@Module({})
export class AppModule {
  static forRoot(env: EventEnv, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ServerModule.forRoot('event-service', env),
        DatabaseModule.forRootAsync({
          useFactory: () => ({
            url: databaseUrl,
            poolSize: env.DATABASE_POOL_SIZE,
            ...databaseLimits(env),
            applicationName: 'event-service',
            namedStatements: env.DATABASE_NAMED_STATEMENTS,
            migrateOnStart: env.MIGRATE_ON_START,
            ...schema,
          }),
        }),
        ChangesModule.forRoot({ settleSeconds: settleSeconds(env) }),
        NamespacesModule.forRoot({ enabled: env.NAMESPACES_ENABLED, retentionDays: env.NAMESPACE_RETENTION_DAYS }),
        IspsModule.forRoot(env.ISPS),
        // Before the single events, because the first matching route wins: `changes`, `latest` and `export` would count as ids.
        EventChangesModule,
        EventListsModule.forRoot(env.FRESH_HOURS),
        EventExportModule.forRoot(env.FRESH_HOURS, env.EXPORT_MAX_SECONDS),
        EventsModule,
        EntitiesModule,
        OverviewModule,
        PeriodsModule.forRoot(env.EXPORT_MAX_SECONDS),
        WebhooksModule.forRoot({
          path: 'api/v2/sys/webhooks',
          feeds: { events: { read: 'events:read', manage: 'events:write', source: '/api/v2/sys/events/changes/' } },
          withFilters: FilteredEventChanges,
          sendsHttp: env.NODE_ENV !== 'production',
          allowedAddresses: env.WEBHOOK_ALLOW_CIDRS,
        }),
      ],
    };
  }
}
