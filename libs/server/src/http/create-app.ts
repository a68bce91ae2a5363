import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { Registry } from 'prom-client';
import { JsonAdapter } from './json-adapter.js';
import { answerInsteadOfNode } from './node-answers.js';
import { boundBodies } from './body-timeout.js';
import { refuseBadHead } from './bad-head.js';
import { httpMetrics } from '../observe/http-metrics.js';
import { type ApiDescription, serveOpenApi } from '../openapi/open-api.js';
import { NestLogger } from '../observe/nest-logger.js';
import { guardAgainstOverload } from './overload.js';
import { OverloadMetrics } from '../observe/overload-metrics.js';
import { requestLog } from '../observe/request-log.js';
import { requestSpan } from '../observe/request-span.js';
import { overloadLimits, type ServerEnv } from '../start/server.env.js';
import { LOGGER } from '../server.module.js';
import { isTracingAsked } from '../observe/tracing.env.js';
import { markUndecodableUrl, parseQuery } from './undecodable-url.js';

/** Longest a client may take to send its headers, and its body. */
const [HEADERS_TIMEOUT_MS, BODY_TIMEOUT_MS] = [20_000, 60_000];
/** Longer than the idle time of the usual load balancers, so that it is they who close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Makes the application, ready to listen: the services and their tests use the same pipeline. */
export async function createApp(module: DynamicModule, env: ServerEnv, api: ApiDescription): Promise<NestExpressApplication> {
  const adapter = new JsonAdapter(expressOf(env));
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    bodyParser: false,
    bufferLogs: true,
    // A start that fails says why in one line (exitOnFailure); the buffer would say it with a long stack before.
    autoFlushLogs: false,
    abortOnError: false,
  });
  app.useLogger(new NestLogger(app.get(LOGGER)));
  app.flushLogs();
  useMiddleware(app);
  serveOpenApi(app, env, api);
  configureServer(app);
  guardAgainstOverload(app.getHttpServer(), overloadLimits(env), new OverloadMetrics(app.get(Registry)));
  return app;
}

/** Set up before Nest has it: Express makes its router at the first use, and that one keeps the settings of its making. */
function expressOf(env: ServerEnv): express.Express {
  const instance = express();
  instance.set('trust proxy', env.TRUST_PROXY);
  instance.set('query parser', parseQuery);
  instance.set('case sensitive routing', true);
  // Records have an entity tag of their own, by version; a hash of every page is work for nothing.
  instance.set('etag', false);
  instance.disable('x-powered-by');
  return instance;
}

function useMiddleware(app: NestExpressApplication): void {
  if (isTracingAsked()) app.use(requestSpan);
  app.use(httpMetrics(app.get(Registry)));
  app.use(requestLog(app.get(LOGGER)));
  app.use(securityHeaders());
  app.use(refuseBadHead);
  app.use(markUndecodableUrl);
}

/** Those of helmet that mean something to who gets JSON. They are the same for every answer, so it is asked once. */
function securityHeaders(): (request: Request, response: Response, next: NextFunction) => void {
  const headers = new Map<string, string>();
  const recorder = { setHeader: (name: string, value: string) => headers.set(name, value), removeHeader: () => undefined };
  const ofPages = { crossOriginOpenerPolicy: false, originAgentCluster: false, xDnsPrefetchControl: false, xDownloadOptions: false };
  const ofOldBrowsers = { xFrameOptions: false, xPermittedCrossDomainPolicies: false, xXssProtection: false };
  const contentSecurityPolicy = { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } };
  helmet({ ...ofPages, ...ofOldBrowsers, contentSecurityPolicy })({} as Request, recorder as unknown as Response, () => undefined);
  // Records are their tenant's alone. Whatever may be kept says so itself.
  headers.set('cache-control', 'private, no-store');
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}

function configureServer(app: NestExpressApplication): void {
  const server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = 0;
  boundBodies(server, BODY_TIMEOUT_MS);
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  answerInsteadOfNode(server, app.get(LOGGER));
}
