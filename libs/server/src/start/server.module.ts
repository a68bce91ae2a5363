import { AuthModule } from '@fibre/auth';
import {
  cancellation,
  ContentionError,
  Database,
  isConnectionRejected,
  isDatabaseUnavailable,
  isOutcomeUnknown,
  isTimeout,
  TooMuchBulkWork,
} from '@fibre/database';
import { PUBLIC_BASE_URL } from '@fibre/pagination';
import { outcomeUnknown, type Problem, ProblemFilter, unavailable } from '@fibre/problems';
import { RequestValidation } from '@fibre/validation';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { Request } from 'express';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { DatabaseMetrics } from '../observe/database-metrics.js';
import { HealthController } from '../observe/health.controller.js';
import { LogOperationModule } from '../observe/log-fields.js';
import { MetricsController } from '../observe/metrics.controller.js';
import { createLogger } from '../observe/request-log.js';
import { FileExports } from '../http/file-exports.js';
import { missedRoute } from '../http/routes.js';
import type { ServerEnv } from '../env/server.env.js';

/** The pino logger behind Nest's. */
export const LOGGER = Symbol('LOGGER');

/** Imported after the auth module, because guards run in the order of their modules. */
@Module({ providers: [{ provide: APP_GUARD, useClass: RequestValidation }] })
class RequestValidationModule {}

/** What all services have in common: log, tokens, problems, validation, pages, health, metrics. */
@Global()
@Module({})
export class ServerModule {
  static forRoot(service: string, env: ServerEnv): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        LogOperationModule,
        AuthModule.forRoot({
          issuer: env.OAUTH_ISSUER,
          jwksUri: env.OAUTH_JWKS_URI,
          audience: env.OAUTH_AUDIENCE,
          tenantClaim: env.OAUTH_TENANT_CLAIM,
          scopeNames: env.OAUTH_SCOPE_NAMES,
        }),
        RequestValidationModule,
      ],
      controllers: [HealthController, MetricsController],
      providers: [
        { provide: LOGGER, useFactory: () => createLogger(service, env.LOG_LEVEL) },
        { provide: Registry, useFactory: metricsRegistry },
        DatabaseMetrics,
        {
          provide: FileExports,
          inject: [Database],
          useFactory: (database: Database) => new FileExports(database, env.EXPORT_MAX_SECONDS * 1_000),
        },
        { provide: PUBLIC_BASE_URL, useValue: env.PUBLIC_BASE_URL?.replace(/\/$/, '') },
        { provide: APP_FILTER, useFactory: () => new ProblemFilter([missedRoute, databaseFault]) },
      ],
      exports: [FileExports, PUBLIC_BASE_URL, Registry],
    };
  }
}

function metricsRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

const READS = ['GET', 'HEAD'];

/** Temporary faults of the database: the response says when to retry. */
function databaseFault(error: unknown, { method }: Request): Problem | undefined {
  if (isOutcomeUnknown(error) && !READS.includes(method)) return outcomeUnknown(error);
  const cancelled = cancellation(error);
  if (cancelled) return unavailable('The request took too long; nothing was done.', cancelled);
  if (isDatabaseUnavailable(error) || isConnectionRejected(error)) return unavailable('The database cannot be reached.', error);
  if (isTimeout(error)) return unavailable('The database took too long; nothing was done.', error);
  if (error instanceof ContentionError)
    return unavailable('Too many requests changed the same records at the same time; nothing was done.', error);
  if (error instanceof TooMuchBulkWork) return unavailable('Too many imports or exports are running; nothing was done.', error);
  return undefined;
}
