import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { isWrite, noteRoute } from '../http/marked-routes.js';

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
    fieldsOf(context)({ operation: context.getHandler().name, ...(isWrite(request) && request.params) });
    return true;
  }
}
