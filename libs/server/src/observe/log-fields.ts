import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** Adds to the log line of a request what its path does not say. Ids and counts, never what a person wrote. */
export type LogFields = (fields: Readonly<Record<string, string | number>>) => void;

/** Hands a controller the {@link LogFields} of its request: queries and bodies are not logged. */
export const LogFields = createParamDecorator((_data: unknown, context: ExecutionContext): LogFields => {
  const { locals } = context.switchToHttp().getResponse<Response>();
  return (fields) => (locals['logFields'] = { ...(locals['logFields'] as object | undefined), ...fields });
});
