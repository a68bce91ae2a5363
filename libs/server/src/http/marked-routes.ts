import { Deadline } from '@fibre/database';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';

const SAFE_METHODS = ['GET', 'HEAD'];

/** Marks a route that changes nothing, although its method is POST. */
export const ChangesNothing = Reflector.createDecorator<true>();

/** Milliseconds that a request may take once its body has arrived, if they are more than `REQUEST_DEADLINE_SECONDS`. */
export const TimeLimit = Reflector.createDecorator<number>();

/** Notes whether the route of a request may change something, and sets its time limit. */
export function noteRoute(reflector: Reflector, context: ExecutionContext): void {
  const limitMs = reflector.get(TimeLimit, context.getHandler());
  if (limitMs !== undefined) Deadline.current?.extendTo(limitMs);
  const http = context.switchToHttp();
  const isSafe = SAFE_METHODS.includes(http.getRequest<Request>().method) || reflector.get(ChangesNothing, context.getHandler());
  http.getResponse<Response>().locals['isWrite'] = !isSafe;
}

/** Whether the request may have changed something. False if it has not reached a route. */
export const isWrite = ({ res }: Request): boolean => res?.locals['isWrite'] === true;
