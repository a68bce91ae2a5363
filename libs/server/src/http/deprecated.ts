import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Response } from 'express';

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

/** Tells the client of a deprecated route, whatever the response. */
export function announceDeprecation(reflector: Reflector, handler: () => unknown, response: Response): void {
  const deprecation = reflector.get(DEPRECATION, handler) as Deprecation | undefined;
  if (!deprecation) return;
  response.setHeader('Deprecation', `@${new Date(deprecation.since).getTime() / 1_000}`);
  response.setHeader('Sunset', new Date(deprecation.sunset).toUTCString());
}
