import { methodNotAllowed, type Problem, routeNotFound } from '@fibre/problems';
import { HttpException } from '@nestjs/common';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, Response } from 'express';

/** Pattern of the route that handles a request, such as `/v2/cov/nodes/:node_id`; `undefined` until a route has matched. */
export function routeOf(request: Request): string | undefined {
  const path = (request.route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path : undefined;
}

/** For a request that no route has taken, in the log and in metrics. */
export const UNMATCHED = 'unmatched';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** Those of a path's parameters that are UUIDs. Anything else may be what a person typed. */
export const idsIn = (params: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => isId(entry[1])));

/**
 * The path of a request for the log and traces: the pattern of its route, with the ids that are UUIDs. Nothing that a person may have typed
 * is part of it, so a path without a route is only `unmatched`.
 *
 * @param privatePath below which an id is personal data too, such as the id of an address
 */
export function loggedPath(request: Request, privatePath?: string): string {
  const route = routeOf(request);
  if (route === undefined) return UNMATCHED;
  if (!route.includes(':') || (privatePath !== undefined && route.startsWith(privatePath))) return route;
  const { params } = request;
  return route.replaceAll(/:(\w+)/g, (parameter, name: string) => (isId(params[name]) ? params[name] : parameter));
}

const PROBE = /^\/(health|metrics)(\/|$)/;

/** Whether a request is a probe or a scrape; these are sent every few seconds and are not worth logging. */
export const isProbe = (url: string): boolean => PROBE.test(url);

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Responds 405 with `Allow` if a path has no handler for the method. As in the router, the first matching path decides: its methods are
 * checked before its first handler. Call this before any route is registered.
 */
export function refuseOtherMethods(adapter: ExpressAdapter): void {
  const methodsOf = new Map<string, Set<string>>();
  const allow = (path: string, method: string): void => {
    const methods = methodsOf.get(path) ?? new Set();
    for (const each of method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]) methods.add(each);
    if (methodsOf.has(path)) return;
    methodsOf.set(path, methods);
    adapter.getInstance<Express>().all(path, ({ method }: Request, _response: Response, next: NextFunction) => {
      next(methods.has(method) ? undefined : methodNotAllowed(method, [...methods].sort()));
    });
  };
  for (const method of METHODS) {
    const register = adapter[method].bind(adapter) as (...given: unknown[]) => unknown;
    adapter[method] = (...given: unknown[]): unknown => {
      allow(given[0] as string, method);
      return register(...given);
    };
  }
}

/** Translates what Nest throws for a path without a route. */
export function missedRoute(error: unknown, request: Request): Problem | undefined {
  return error instanceof HttpException && error.getStatus() === 404 ? routeNotFound(request.path) : undefined;
}
