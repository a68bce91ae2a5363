import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '@fibre/errors';
import type { Request, Response } from 'express';
import type { Params } from 'nestjs-pino';
import { stdTimeFunctions } from 'pino';

const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
/** Version, trace id, parent id, flags (W3C Trace Context section 3.2). */
const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Probes and scrapes come every few seconds and say nothing. */
const QUIET = /^\/(health|metrics)(\/|$)/;

/** Nest's account of every module and route at each start; /metrics and the OpenAPI document tell the same. */
const START_UP_NOISE = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory', 'NestApplication']);

/** One line per request: who, what, how it ended, how long it took. Headers and bodies are never logged. */
export const requestLog = (service: string, level: string): Params => ({
  pinoHttp: {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // What is worth logging of request and answer is in customProps; headers carry tokens.
    serializers: { req: () => undefined, res: () => undefined },
    hooks: {
      logMethod(args, method) {
        const { context } = (args[0] ?? {}) as { context?: string };
        if (context === undefined || !START_UP_NOISE.has(context)) method.apply(this, args);
      },
    },
    genReqId: assignRequestId,
    quietReqLogger: true,
    quietResLogger: true,
    customAttributeKeys: { reqId: 'request_id', responseTime: 'duration_ms' },
    autoLogging: { ignore: (request) => QUIET.test(request.url ?? '') },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
    customSuccessMessage: summary,
    customErrorMessage: summary,
    customProps: (request, response) => outcome(request as RequestOfCaller, response as Response),
  },
});

function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : randomUUID();
  response.setHeader('x-request-id', id);
  return id;
}

const pathOf = (request: IncomingMessage): string => ((request as Request).originalUrl ?? request.url ?? '/').split('?', 1)[0] ?? '/';

const summary = (request: IncomingMessage, response: ServerResponse): string => `${request.method} ${pathOf(request)} ${response.statusCode}`;

interface Caller {
  readonly clientId?: string;
  readonly tenant?: string;
}
type RequestOfCaller = Request & { readonly user?: Caller };

function outcome(request: RequestOfCaller, response: Response): Record<string, unknown> {
  const trace = TRACEPARENT.exec(request.headers.traceparent as string)?.[1];
  // Also asked for when a request begins, for the lines in between; the outcome is known at its end only.
  if (!response.writableEnded && !response.destroyed) return trace ? { trace_id: trace } : {};
  const { clientId, tenant } = request.user ?? {};
  const problem = response.locals?.['problem'] as Problem | undefined;
  const refusal = problem && problem.status < 500 && problem.cause instanceof Error ? problem.cause.message : undefined;
  return {
    ...(trace && { trace_id: trace }),
    method: request.method,
    path: pathOf(request),
    status: response.statusCode,
    client: clientId,
    tenant,
    code: problem?.code,
    reason: refusal,
  };
}
