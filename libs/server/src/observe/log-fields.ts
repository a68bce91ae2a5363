import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { idsIn } from './logged-path.js';

const SAFE_METHODS = ['GET', 'HEAD'];

/** Marks a route that changes nothing, although its method is POST. */
export const ChangesNothing = Reflector.createDecorator<true>();

/** Notes whether the route of a request may change something. */
function noteRoute(reflector: Reflector, context: ExecutionContext): void {
  const http = context.switchToHttp();
  const isSafe = SAFE_METHODS.includes(http.getRequest<Request>().method) || reflector.get(ChangesNothing, context.getHandler());
  http.getResponse<Response>().locals['isWrite'] = !isSafe;
}

/** Whether the request may have changed something. False if it has not reached a route. */
export const isWrite = ({ res }: Request): boolean => res?.locals['isWrite'] === true;

/** Adds fields to the log line of a request: ids and counts, never text that a person wrote. */
export type LogFields = (fields: Readonly<Record<string, string | number>>) => void;

const fieldsOf = (context: ExecutionContext): LogFields => {
  const { locals } = context.switchToHttp().getResponse<Response>();
  return (fields) => (locals['logFields'] = { ...(locals['logFields'] as object | undefined), ...fields });
};

/** Lets a controller add fields to the log line of its request, because queries and bodies are not logged. */
export const LogFields = createParamDecorator((_data: unknown, context: ExecutionContext): LogFields => fieldsOf(context));

/** Adds the operation (its name in the OpenAPI document) to the log line, and the ids in the path of a write. */
@Injectable()
export class LogOperation implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request<Record<string, string>>>();
    noteRoute(this.reflector, context);
    fieldsOf(context)({ operation: context.getHandler().name, ...(isWrite(request) && idsIn(request.params)) });
    return true;
  }
}
