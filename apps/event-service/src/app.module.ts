import { SettledTimeModule } from '@fibre/settled-time';
import { WebhooksModule } from '@fibre/webhooks';
import { DatabaseModule } from '@fibre/database';
import { databaseSettings, ServerModule } from '@fibre/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { ChargesModule } from './charges/charges.module.js';
import { ClosingsModule } from './closings/closings.module.js';
import { DistributionService } from './citus/distribution.service.js';
import { schema } from './schema.js';
import { EventChangesModule } from './event-changes/event-changes.module.js';
import { EventChangeFilters, WebhookEventFilters } from './event-changes/event-changes.requests.js';
import { EventListsModule } from './event-lists/event-lists.module.js';
import { EVENT_ENV, type EventEnv } from './event.env.js';
import { EntitiesModule } from './entities/entities.module.js';
import { EventsModule } from './events/events.module.js';
import { FindModule } from './find/find.module.js';
import { IspsModule } from './isps/isps.module.js';
import { LinesModule } from './lines/lines.module.js';
import { NamespacesModule } from './namespaces/namespaces.module.js';
import { OverviewModule } from './overview/overview.module.js';
import { PeriodsModule } from './periods/periods.module.js';
import { RefusedEventsModule } from './refused-events/refused-events.module.js';

@Module({})
export class AppModule {
  static forRoot(env: EventEnv, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      global: true,
      // This is a copy, because envalid's object throws when Nest looks for properties that are not in the environment.
      providers: [{ provide: EVENT_ENV, useValue: { ...env } }, DistributionService],
      exports: [EVENT_ENV, DistributionService],
      imports: [
        ServerModule.forRoot('event-service', env),
        DatabaseModule.forRoot({ ...databaseSettings(env), url: databaseUrl, applicationName: 'event-service', ...schema }),
        SettledTimeModule.forRoot({ settleSeconds: env.SETTLE_SECONDS, longestRequestSeconds: env.REQUEST_DEADLINE_SECONDS }),
        NamespacesModule,
        IspsModule,
        // The first route that matches wins, so these come before EventsModule: it would take `changes`, `refused`, `latest` and `export` for ids.
        EventChangesModule,
        RefusedEventsModule,
        EventListsModule,
        EventsModule,
        EntitiesModule,
        OverviewModule,
        FindModule,
        ClosingsModule,
        PeriodsModule,
        ChargesModule,
        LinesModule,
        WebhooksModule.forRoot({
          path: 'api/v2/sys/webhooks',
          feeds: {
            events: { read: 'events:read', manage: 'events:write', source: '/api/v2/sys/events/changes/' },
            lines: { read: 'charges:read', manage: 'charges:read', source: '/api/v2/sys/charges/lines/changes/' },
          },
          filters: { sent: WebhookEventFilters, shown: EventChangeFilters },
          sendsHttp: env.NODE_ENV !== 'production',
          allowedAddresses: env.WEBHOOK_ALLOW_CIDRS,
        }),
      ],
    };
  }
}
