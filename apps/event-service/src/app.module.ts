import { ChangesModule } from '@fibre/changes';
import { DatabaseModule } from '@fibre/database';
import { databaseLimits, ServerModule, settleSeconds } from '@fibre/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { schema } from './schema.js';
import { EventExportModule } from './event-export/event-export.module.js';
import { EventListsModule } from './event-lists/event-lists.module.js';
import type { EventEnv } from './event.env.js';
import { EntitiesModule } from './entities/entities.module.js';
import { EventsModule } from './events/events.module.js';
import { IspsModule } from './isps/isps.module.js';
import { NamespacesModule } from './namespaces/namespaces.module.js';
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
        // Before the single events: the router takes the first route that matches, and `latest` and `export` look like an id.
        EventListsModule.forRoot(env.FRESH_HOURS),
        EventExportModule.forRoot(env.FRESH_HOURS, env.EXPORT_MAX_SECONDS),
        EventsModule,
        EntitiesModule,
        PeriodsModule.forRoot(env.EXPORT_MAX_SECONDS),
      ],
    };
  }
}
