import { AUTHORIZATION } from '@fibre/auth';
import { type Budget, Deadline } from '@fibre/database';
import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  type Type,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { idsIn } from './routes.js';

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

/** When an operation became deprecated, and from when it may be gone: days, as `2027-01-31`. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
}

/** Months of notice that docs/compatibility.md promises. */
const NOTICE_MONTHS = 12;

/** The member of an operation in the OpenAPI document while it is built. */
export const DEPRECATION_EXTENSION = 'x-deprecation';

const DEPRECATION = Reflector.createDecorator<Deprecation>();

/**
 * Marks a route that will go: in the OpenAPI document, and in each response with `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).
 *
 * @throws Error if clients have less time than docs/compatibility.md promises
 */
export function Deprecated(deprecation: Deprecation): MethodDecorator {
  const earliest = new Date(deprecation.since);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS);
  // Also if one of them is not a date.
  if (!(new Date(deprecation.sunset) >= earliest)) throw new Error(`the sunset must be ${NOTICE_MONTHS} months after ${deprecation.since}`);
  return applyDecorators(DEPRECATION(deprecation), ApiExtension(DEPRECATION_EXTENSION, deprecation));
}

/** Marks a route that changes nothing, although its method is POST. */
export const ChangesNothing = Reflector.createDecorator<true>();

/** Adds fields to the log line of a request: ids and counts, never text that a person wrote. */
export type LogFields = (fields: Readonly<Record<string, string | number>>) => void;

const fieldsOf = (context: ExecutionContext): LogFields => {
  const { locals } = context.switchToHttp().getResponse<Response>();
  return (fields) => (locals['logFields'] = { ...(locals['logFields'] as object | undefined), ...fields });
};

/** Lets a controller add fields to the log line of its request, because queries and bodies are not logged. */
export const LogFields = createParamDecorator((_data: unknown, context: ExecutionContext): LogFields => fieldsOf(context));

const SAFE_METHODS = ['GET', 'HEAD'];

/** Whether the request may have changed something. False if it has not reached a route. */
export const isWrite = ({ res }: Request): boolean => res?.locals['isWrite'] === true;

/**
 * Once its route is found: limits the request to what the route declares, says if it is deprecated, and adds the operation (its name in the OpenAPI document) to the
 * log line, with the ids in the path of a write.
 */
@Injectable()
export class OperationGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    const http = context.switchToHttp();
    const request = http.getRequest<Request<Record<string, string>>>();
    announceDeprecation(this.reflector, handler as () => unknown, http.getResponse<Response>());
    const costs = this.reflector.get(COSTS, handler);
    if (costs) Deadline.current?.declare(costs);
    const isSafe = SAFE_METHODS.includes(request.method) || this.reflector.get(ChangesNothing, handler);
    http.getResponse<Response>().locals['isWrite'] = !isSafe;
    fieldsOf(context)({ operation: handler.name, ...(isWrite(request) && idsIn(request.params)) });
    return true;
  }
}

/** Tells the client of a deprecated route, whatever the response. */
function announceDeprecation(reflector: Reflector, handler: () => unknown, response: Response): void {
  const deprecation = reflector.get(DEPRECATION, handler) as Deprecation | undefined;
  if (!deprecation) return;
  response.setHeader('Deprecation', `@${new Date(deprecation.since).getTime() / 1_000}`);
  response.setHeader('Sunset', new Date(deprecation.sunset).toUTCString());
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
