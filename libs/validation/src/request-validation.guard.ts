import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { Reflector } from '@nestjs/core';
import { ApiConsumes, ApiProduces } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { membersOf } from '@fibre/dto';
import { invalidRequest, malformedRequest, notAcceptable } from '@fibre/problems';
import { readJsonBody } from '@fibre/body';
import { admitStream } from '@fibre/body';
import { InvalidParts, readPart, refuseUnknown } from './request-part.js';

const PRODUCES = Symbol('produces');
const CONSUMES = Symbol('consumes');
const STREAMS = Symbol('streams');
const JSON_TYPE = 'application/json';
const PATCHES = [JSON_TYPE, 'application/merge-patch+json'];

/** Media types of a route's responses, if not just `application/json`. */
export const Produces = (...mediaTypes: string[]): MethodDecorator =>
  applyDecorators(SetMetadata(PRODUCES, mediaTypes), ApiProduces(...mediaTypes));
/** Declares a body that is a JSON merge patch (RFC 7396). The OpenAPI document has one of its media types, and the other in words. */
export const MergePatch = (): MethodDecorator => applyDecorators(SetMetadata(CONSUMES, PATCHES), ApiConsumes(JSON_TYPE));

/** Media types of a body that the handler reads as a stream, with `@BodyStream()`. */
export const StreamsBody = (...mediaTypes: string[]): MethodDecorator =>
  applyDecorators(SetMetadata(STREAMS, mediaTypes), ApiConsumes(...mediaTypes));

/** The media types of a route, and the classes `T` of `@Param() x: T`, `@Query() x: T`, `@Headers() x: T` and `@Body() x: T`. */
interface Declared {
  readonly produces: readonly string[];
  readonly consumes: readonly string[];
  readonly streams?: readonly string[];
  readonly path?: Type<object>;
  readonly query?: Type<object>;
  readonly header?: Type<object>;
  readonly body?: Type<object>;
}

/**
 * Checks a whole request, after the token and before the handler: 406, then 413, 415 or 400, then 422 by class-validator.
 *
 * Nest's pipes check one argument each, and the first failure ends the request. This guard reports every invalid part of path, query,
 * headers and body in one response, and rejects what a route does not declare.
 *
 * It is a guard, not an interceptor, for which Nest would build a chain of observables per request. Guards run in the order of their
 * modules, so the module of this guard must come after the module of the token guard.
 */
@Injectable()
export class RequestValidation implements CanActivate {
  private readonly declared = new Map<(...args: never[]) => unknown, Declared>();

  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const declared = this.declarationOf(context);

    // JSON is always acceptable, because clients send the same Accept header with every request; a file's format depends on the path and
    // on `format`. Parameters such as charset are ignored.
    request.headers.accept = request.headers.accept?.replaceAll(/;(?!\s*q=)[^;,]*/gi, '');
    if (!request.accepts([...declared.produces, JSON_TYPE])) throw notAcceptable(declared.produces.join(' or '));
    if (response.locals['undecodable']) throw malformedRequest('The URL is not valid percent-encoded UTF-8.');
    if (declared.streams) admitStream(request, declared.streams);
    if (declared.body) return readJsonBody(request, response, declared.consumes).then((body) => validate(request, declared, body));
    const admission = declared.streams ? undefined : request.admission;
    if (!admission) return validate(request, declared, {});
    return admission.ready().then(() => validate(request, declared, {}));
  }

  private declarationOf(context: ExecutionContext): Declared {
    const handler = context.getHandler() as (...args: never[]) => unknown;
    let declared = this.declared.get(handler);
    if (!declared) {
      declared = this.readDeclaration(context);
      this.declared.set(handler, declared);
    }
    return declared;
  }

  private readDeclaration(context: ExecutionContext): Declared {
    const [type, handler] = [context.getClass(), context.getHandler()];
    const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, handler.name) ?? {}) as Record<string, { index: number }>;
    const types = (Reflect.getMetadata('design:paramtypes', type.prototype as object, handler.name) ?? []) as Type<object>[];
    const typeOf = (kind: RouteParamtypes): Type<object> | undefined => {
      const key = Object.keys(args).find((name) => name.startsWith(`${kind}:`));
      return key === undefined ? undefined : types[args[key]!.index];
    };
    const produces = this.reflector.get<string[] | undefined>(PRODUCES, handler) ?? [JSON_TYPE];
    return {
      produces,
      consumes: this.reflector.get<string[] | undefined>(CONSUMES, handler) ?? [JSON_TYPE],
      streams: this.reflector.get<string[] | undefined>(STREAMS, handler),
      path: typeOf(RouteParamtypes.PARAM),
      query: typeOf(RouteParamtypes.QUERY),
      header: typeOf(RouteParamtypes.HEADERS),
      body: typeOf(RouteParamtypes.BODY),
    };
  }
}

function validate(request: Request, declared: Declared, body: object): true {
  const invalid = new InvalidParts();
  const { query } = request;
  if (declared.path) request.params = readPart(declared.path, request.params, 'path', invalid) as Request['params'];
  if (declared.query) setQuery(request, readPart(declared.query, query, 'query', invalid));
  else refuseUnknown(NO_MEMBERS, query, { part: 'query', path: [] }, invalid);
  refuseConditions(request, declared, invalid);
  if (declared.header) Object.assign(request.headers, readPart(declared.header, request.headers, 'header', invalid));
  if (declared.body) request.body = readPart(declared.body, body, 'body', invalid);
  if (invalid.found.length > 0) throw invalidRequest(invalid.found);
  return true;
}

const CONDITIONS = ['if-match', 'if-none-match'];
const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * A write that nothing has a version for cannot keep the condition that it is sent with. A read may be sent with the tags of an earlier
 * response, as caches do, and is then answered in full.
 */
function refuseConditions({ method, headers }: Request, { header }: Declared, invalid: InvalidParts): void {
  if (SAFE_METHODS.includes(method)) return;
  const members = header ? membersOf(header) : NO_MEMBERS;
  for (const name of CONDITIONS) {
    if (headers[name] === undefined || members.has(name)) continue;
    invalid.add({ part: 'header', path: [name] }, 'is not a header of this operation, which has no version to compare; leave it out');
  }
}

const NO_MEMBERS = membersOf(class {});

/** Express parses the query again on every read of `request.query`; this replaces it with the checked one. */
const setQuery = (request: Request, value: object): void => {
  Object.defineProperty(request, 'query', { value, configurable: true, enumerable: true });
};
