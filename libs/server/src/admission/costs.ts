import { AUTHORIZATION } from '@fibre/auth';
import { type Budget, Deadline } from '@fibre/database';
import { applyDecorators, type CanActivate, type ExecutionContext, type INestApplication, Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';

/** What a request may cost. Whatever a route does not declare is as usual: a slot for `REQUEST_DEADLINE_SECONDS`, and 1 MiB of JSON. */
export interface RouteCosts extends Budget {
  /** The setting with the largest body, for a body that is a file. */
  readonly largestBody?: 'IMPORT_MAX_BYTES';
}

const COSTS = Reflector.createDecorator<RouteCosts>();
/** The member of an operation in the OpenAPI document while it is built; complete-document.ts makes a sentence of it. */
export const COSTS_EXTENSION = 'x-costs';

/**
 * Declares what a request to a route may cost, beside who may send it. A service does not start if a route declares nothing, and a request
 * that takes another limit, or waits for locks, fails: what stands at the routes and in docs/operations.md is what happens.
 */
export const Costs = (costs: RouteCosts = {}): MethodDecorator => applyDecorators(COSTS(costs), ApiExtension(COSTS_EXTENSION, costs));

/** Limits the work of a request to what its route declares. */
@Injectable()
export class CostsGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const costs = this.reflector.get(COSTS, context.getHandler());
    if (costs) Deadline.current?.declare(costs);
    return true;
  }
}

/** The costs of each route for which a token is needed, by the name of its operation. @throws Error naming the routes that declare none */
export function costsOfRoutes(app: INestApplication): Map<string, RouteCosts> {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  const routes = new DiscoveryService(app.get(ModulesContainer)).getControllers().flatMap(({ metatype }) => {
    const prototype = (metatype as Type<object>).prototype as Record<string, () => unknown>;
    const names = scanner.getAllMethodNames(prototype).filter((name) => reflector.get(AUTHORIZATION, prototype[name]!) !== undefined);
    return names.map((name) => [name, reflector.get(COSTS, prototype[name]!) as RouteCosts | undefined] as const);
  });
  const missing = routes.flatMap(([name, costs]) => (costs ? [] : [name]));
  if (missing.length > 0) throw new Error(`these routes do not declare what they cost, with @Costs: ${missing.join(', ')}`);
  return new Map(routes as [string, RouteCosts][]);
}
