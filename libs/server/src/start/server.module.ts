import { AUTH_OPTIONS, Authentication, type AuthOptions, BearerGuard, JwtStrategy, KeySet } from '@fibre/auth';
import {
  cancellation,
  ContentionError,
  Database,
  isConnectionRejected,
  isDatabaseUnavailable,
  isLockTimeout,
  isOutcomeUnknown,
  isTimeout,
  LimitReached,
  Limits,
} from '@fibre/database';
import { TIME_ZONE_RELEASE } from '@fibre/dto';
import { PUBLIC_BASE_URL } from '@fibre/pagination';
import { outcomeUnknown, type Problem, ProblemFilter, unavailable } from '@fibre/problems';
import { RequestValidation } from '@fibre/validation';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { Request } from 'express';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { HealthController } from '../observe/health.controller.js';
import { isWrite, OperationGuard } from '../http/operation.js';
import { readings } from '../metrics/metrics.js';
import { MetricsController } from '../metrics/metrics.controller.js';
import { createLogger } from '../observe/requests.js';
import { FileExports } from '../http/file-exports.js';
import { missedRoute } from '../http/routes.js';
import type { ServerEnv } from '../env/server.env.js';

/** The pino logger behind Nest's logger. */
export const LOGGER = Symbol('LOGGER');

/** What all services have in common: log, tokens, problems, validation, pages, health, metrics. */
@Global()
@Module({})
export class ServerModule {
  static forRoot(service: string, env: ServerEnv): DynamicModule {
    return {
      module: ServerModule,
      controllers: [HealthController, MetricsController],
      providers: [
        // The order matters: OperationGuard comes first, so that the log lines of rejected requests also have an operation; then the token is
        // checked, then the request.
        { provide: APP_GUARD, useClass: OperationGuard },
        { provide: APP_GUARD, useClass: BearerGuard },
        { provide: APP_GUARD, useClass: RequestValidation },
        // A copy, because Nest reads the `constructor` of a value, and envalid's proxy rejects that.
        { provide: AUTH_OPTIONS, useValue: { ...env } satisfies AuthOptions },
        Authentication,
        JwtStrategy,
        KeySet,
        { provide: LOGGER, useFactory: () => createLogger(service, env.LOG_LEVEL) },
        { provide: Registry, useFactory: metricsRegistry },
        {
          provide: FileExports,
          inject: [Database, Limits],
          useFactory: (database: Database, limits: Limits) => new FileExports(database, limits, env.EXPORT_MAX_SECONDS * 1_000),
        },
        { provide: PUBLIC_BASE_URL, useValue: env.PUBLIC_BASE_URL },
        { provide: APP_FILTER, useFactory: () => new ProblemFilter([missedRoute, temporaryFault]) },
      ],
      exports: [FileExports, PUBLIC_BASE_URL, Registry],
    };
  }
}

function metricsRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  readings(Gauge, registry, ['tz_database_info', 'The release of the time zone database in use'], ['release'], () => [
    [{ release: TIME_ZONE_RELEASE }, 1],
  ]);
  return registry;
}

/** Temporary faults: the response says when to retry. */
function temporaryFault(error: unknown, request: Request): Problem | undefined {
  if (isOutcomeUnknown(error) && isWrite(request)) return outcomeUnknown(error);
  const cancelled = cancellation(error);
  if (cancelled) return unavailable('The request took too long; nothing was done.', cancelled);
  if (isDatabaseUnavailable(error) || isConnectionRejected(error)) return unavailable('The database cannot be reached.', error);
  if (isLockTimeout(error))
    return unavailable('The records are locked by other work that takes longer, such as an import; nothing was done.', error);
  if (isTimeout(error)) return unavailable('The database took too long; nothing was done.', error);
  if (error instanceof ContentionError)
    return unavailable('Too many requests changed the same records at the same time; nothing was done.', error);
  if (error instanceof LimitReached) return unavailable(`The limit on ${error.limit} is reached at the moment; nothing was done.`);
  return undefined;
}
