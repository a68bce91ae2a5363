import type { NextFunction, Request, Response } from 'express';
import { Histogram, type Registry } from 'prom-client';
import { routeOf, UNMATCHED } from '../observe/logged-path.js';
import { statusOf } from '../observe/request-log.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Rate, errors and duration of requests. The label `route` is the route's pattern, or `unmatched`, so it has a limited number of values.
 */
export function httpMetrics(registry: Registry): (request: Request, response: Response, next: NextFunction) => void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests from the first byte received to the last byte sent',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return (request, response, next) => {
    const start = performance.now();
    response.once('close', () => {
      durations.observe(
        {
          method: METHODS.has(request.method) ? request.method : 'OTHER',
          route: routeOf(request) ?? UNMATCHED,
          status: statusOf(response),
        },
        (performance.now() - start) / 1_000,
      );
    });
    next();
  };
}
