import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

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
  canActivate(context: ExecutionContext): boolean {
    const { method, params } = context.switchToHttp().getRequest<Request<Record<string, string>>>();
    fieldsOf(context)({ operation: context.getHandler().name, ...(method !== 'GET' && params) });
    return true;
  }
}
