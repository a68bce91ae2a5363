import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';

const SAFE_METHODS = ['GET', 'HEAD'];

/** Marks a route that changes nothing, although its method is POST. */
export const ChangesNothing = Reflector.createDecorator<true>();

/** Notes whether the route of a request may change something. */
export function noteRoute(reflector: Reflector, context: ExecutionContext): void {
  const http = context.switchToHttp();
  const isSafe = SAFE_METHODS.includes(http.getRequest<Request>().method) || reflector.get(ChangesNothing, context.getHandler());
  http.getResponse<Response>().locals['isWrite'] = !isSafe;
}

/** Whether the request may have changed something. False if it has not reached a route. */
export const isWrite = ({ res }: Request): boolean => res?.locals['isWrite'] === true;
