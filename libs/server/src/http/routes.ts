import { methodNotAllowed, type Problem, routeNotFound } from '@fibre/problems';
import { HttpException } from '@nestjs/common';
import type { Request } from 'express';

/** The part of an Express router's layers that tells which methods a path answers. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Pattern of the route that answers a request, `/v2/cov/nodes/:node_id`; `undefined` while none matched. */
export function routeOf(request: Request): string | undefined {
  const path = (request.route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path : undefined;
}

/**
 * Tells the two ways a request can miss every route apart: 404 when nothing is at the path, and 405 with
 * `Allow` when the path answers other methods. Nest knows the first alone.
 */
export function missedRoute(error: unknown, request: Request): Problem | undefined {
  if (!(error instanceof HttpException) || error.getStatus() !== 404) return undefined;
  const layers = (request.app.router as unknown as { stack: Layer[] }).stack;
  const methods = new Set(layers.filter(({ route }) => route).flatMap((layer) => (layer.match(request.path) ? methodsOf(layer) : [])));
  return methods.size === 0 ? routeNotFound(request.path) : methodNotAllowed(request.method, [...methods].sort());
}

const methodsOf = ({ route }: Layer): string[] => {
  const methods = Object.keys(route?.methods ?? {}).map((method) => method.toUpperCase());
  // Middleware that Nest binds to routes answers every method there is; no operation of ours is a TRACE.
  if (methods.includes('TRACE')) return [];
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
};
