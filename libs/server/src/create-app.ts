import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';
import { Registry } from 'prom-client';
import { answerClientErrors } from './client-error.js';
import { httpMetrics } from './http-metrics.js';
import { type ApiDescription, serveOpenApi } from './open-api.js';
import type { ServerEnv } from './server.env.js';
import { markUndecodableUrl, parseQuery } from './undecodable-url.js';

/** Longest a client may take to send its headers, and its whole request. */
const [HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS] = [20_000, 60_000];
/** Longer than the idle time of the usual load balancers, so that it is they who close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Makes the application, ready to listen: the services and their tests use the same pipeline. */
export async function createApp(module: DynamicModule, env: ServerEnv, api: ApiDescription): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(module, { bodyParser: false, bufferLogs: true, abortOnError: false });
  app.useLogger(app.get(Logger));
  configureExpress(app, env);
  serveOpenApi(app, env, api);
  configureServer(app);
  return app;
}

function configureExpress(app: NestExpressApplication, env: ServerEnv): void {
  const express = app.getHttpAdapter().getInstance();
  express.set('trust proxy', env.TRUST_PROXY);
  express.set('query parser', parseQuery);
  express.set('case sensitive routing', true);
  // Records have an entity tag of their own, by version; a hash of every page is work for nothing.
  express.set('etag', false);
  express.disable('x-powered-by');

  app.use(httpMetrics(app.get(Registry)));
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } } }));
  app.use(markUndecodableUrl);
}

function configureServer(app: NestExpressApplication): void {
  const server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  answerClientErrors(server);
}
