import { Authentication } from '@fibre/auth';
import { Database, Limits } from '@fibre/database';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import { Registry } from 'prom-client';
import { costsOfRoutes } from '../http/operation.js';
import { admitRequests } from '../admission/admit-requests.js';
import type { ServerEnv } from '../env/server.env.js';
import { isTracingAsked } from '../env/tracing.env.js';
import { cutSlowReaders, markUndecodableUrl, refuseBadHead } from '../http/bad-clients.js';
import { crossOrigin } from '../http/cross-origin.js';
import { JsonAdapter, securityHeaders } from '../http/json-adapter.js';
import { databaseMetrics } from '../metrics/database-metrics.js';
import { limitMetrics } from '../metrics/limit-metrics.js';
import { type ApiDescription, serveOpenApi } from '../openapi/open-api.js';
import { NestLogger } from '../observe/nest-logger.js';
import { httpMetrics, requestLog } from '../observe/requests.js';
import { requestSpan } from '../observe/request-span.js';
import { LOGGER } from './server.module.js';

/** Longest time that a client may take to send its headers. */
const HEADERS_TIMEOUT_MS = 20_000;
/** Longer than the idle timeout of common load balancers, so that they, not the service, close idle connections. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Creates the application, ready to listen. Services and their tests use the same pipeline. */
export async function createApp(module: DynamicModule, env: ServerEnv, api: ApiDescription): Promise<NestExpressApplication> {
  const adapter = new JsonAdapter(expressOf(env));
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    bodyParser: false,
    bufferLogs: true,
    // exitOnFailure explains a failed start in one line; the buffer would print a long stack first.
    autoFlushLogs: false,
    abortOnError: false,
  });
  app.useLogger(new NestLogger(app.get(LOGGER)));
  app.flushLogs();
  costsOfRoutes(app);
  useMiddleware(app, env, api);
  serveOpenApi(app, env, api);
  configureServer(app);
  return app;
}

/** Configures Express before Nest uses it, because Express creates its router on first use, with the settings at that moment. */
function expressOf(env: ServerEnv): express.Express {
  const instance = express();
  instance.set('trust proxy', env.TRUST_PROXY);
  instance.set('case sensitive routing', true);
  // The entity tags of records are derived from their versions, so Express does not need to hash every response.
  instance.set('etag', false);
  instance.disable('x-powered-by');
  return instance;
}

/** Steps 1 to 5 of a request, in this order; docs/architecture.md has all steps on one screen, and server.module.ts the guards that follow. */
function useMiddleware(app: NestExpressApplication, env: ServerEnv, { privatePath }: ApiDescription): void {
  const registry: Registry = app.get(Registry);
  databaseMetrics(app.get(Database), registry);
  if (isTracingAsked()) app.use(requestSpan(privatePath));
  app.use(httpMetrics(registry));
  app.use(requestLog(app.get(LOGGER), privatePath));
  app.use(securityHeaders);
  app.use(refuseBadHead);
  if (env.CORS_ORIGINS.length > 0) app.enableCors(crossOrigin(env.CORS_ORIGINS));
  app.use(markUndecodableUrl);
  app.use(cutSlowReaders(app.getHttpServer(), env.SLOW_READER_SECONDS * 1_000, registry));
  app.use(admitRequests(env, app.get(Limits), app.get(Authentication)));
  limitMetrics(app.get(Limits), registry);
}

function configureServer(app: NestExpressApplication): void {
  const server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  // Node's timeout for a whole request has no exception for imports; the body readers have their own timeouts.
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
}
