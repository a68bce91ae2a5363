import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import type { InvalidPart } from './problem.js';

/** Where in a request a value stands; decides how an offender in it is named. */
export type RequestPart = 'path' | 'query' | 'header' | 'body';

/** Members class-transformer drops without a word, so that a client would not learn of its mistake. */
const DROPPED = ['__proto__', 'constructor'];

/**
 * Makes a request class of what a client sent, and collects every offender in it.
 *
 * @param part headers that the class does not name are let through, anything else unknown is an offender
 * @param errors receives one entry per offender
 */
export function bind<T extends object>(type: ClassConstructor<T>, sent: object, part: RequestPart, errors: InvalidPart[]): T {
  const dropped = part === 'header' ? [] : DROPPED.filter((key) => Object.hasOwn(sent, key));
  errors.push(...dropped.map((key) => invalidPart(part, [key], unknownPart(part))));

  const once = part === 'query' ? withoutRepeated(sent, errors) : sent;
  const bound = plainToInstance(type, once);
  const closed = part !== 'header';
  const found = validateSync(bound, { whitelist: closed, forbidNonWhitelisted: closed, stopAtFirstError: true, forbidUnknownValues: false });
  for (const error of found) errors.push(...offenders(part, error, []));
  return bound;
}

/** Names every member of a part that an operation does not take at all. */
export const refuseAll = (sent: object, part: RequestPart, errors: InvalidPart[]): void => {
  for (const key of Object.keys(sent)) errors.push(invalidPart(part, [key], unknownPart(part)));
};

function withoutRepeated(sent: object, errors: InvalidPart[]): object {
  const repeated = Object.entries(sent).filter(([, value]) => Array.isArray(value));
  if (repeated.length === 0) return sent;
  errors.push(...repeated.map(([key]) => invalidPart('query', [key], 'is given more than once')));
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, Array.isArray(value) ? (value as unknown[])[0] : (value as unknown)]));
}

function offenders(part: RequestPart, error: ValidationError, above: readonly string[]): InvalidPart[] {
  const path = [...above, error.property];
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) =>
    invalidPart(part, path, rule === 'whitelistValidation' ? unknownPart(part) : message),
  );
  return [...own, ...(error.children ?? []).flatMap((child) => offenders(part, child, path))];
}

const unknownPart = (part: RequestPart): string => (part === 'body' ? 'is not a member of this request' : 'is not a parameter of this operation');

function invalidPart(part: RequestPart, path: readonly string[], detail: string): InvalidPart {
  return part === 'body' ? { pointer: jsonPointer(path), detail } : { parameter: path.join('.'), detail };
}

/** JSON pointer in its URI fragment form (RFC 6901 section 6). */
export const jsonPointer = (path: readonly string[]): string =>
  `#${path.map((step) => `/${encodeURIComponent(step.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
