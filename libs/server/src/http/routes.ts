import { methodNotAllowed, type Problem, routeNotFound } from '@fibre/problems';
import { HttpException } from '@nestjs/common';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, Response } from 'express';

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
