import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { isProbe, loggedPath, routeOf } from '../http/routes.js';

const tracer = trace.getTracer('@fibre/server');

/**
 * One span per request, in the caller's trace if it sent one (W3C Trace Context). It is named after the route's pattern, like the metrics,
 * and has the attributes of the semantic conventions for HTTP servers.
 *
 * Instrumentation packages would patch modules while they load, know neither our routes nor our statement names, and need a loader hook for
 * ES modules.
 */
export const requestSpan =
  (privatePath?: string) =>
  (request: Request, response: Response, next: NextFunction): void => {
    if (isProbe(request.url)) return next();
    const parent = propagation.extract(context.active(), request.headers);
    const attributes = { 'http.request.method': request.method, 'url.scheme': request.protocol };
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent);
    response.once('close', () => finish(span, request, response, privatePath));
    context.with(trace.setSpan(parent, span), next);
  };

function finish(span: Span, request: Request, response: Response, privatePath?: string): void {
  const route = routeOf(request);
  if (route !== undefined) span.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
  span.setAttribute('url.path', loggedPath(request, privatePath));
  span.setAttribute('http.response.status_code', response.statusCode);
  if (response.statusCode >= 500) span.setAttribute('error.type', String(response.statusCode)).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
