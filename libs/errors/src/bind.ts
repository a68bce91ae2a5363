import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError, ValidationTypes } from 'class-validator';
import type { InvalidPart } from './problem.js';

/** Where in a request a value stands; decides how an offender in it is named. */
export type RequestPart = 'path' | 'query' | 'header' | 'body';

/** What is wrong in a request: `path` leads from a member of the request class to the offender. */
export interface Offence {
  readonly path: readonly string[];
  readonly detail: string;
}

/**
 * Names the method of a request class that checks what spans several of its members, or reaches into one. It runs after
 * the members' own checks, whatever these found, so it sees values of any kind. A symbol, so that no client can send it.
 */
export const OFFENCES = Symbol('offences');

interface WithOffences {
  [OFFENCES]?(): readonly Offence[];
}

/** Most unknown members to name, so that an answer does not grow with the nonsense in a request. */
const MAX_UNKNOWN = 100;

/**
 * Makes a request class of what a client sent, and collects every offender in it.
 *
 * @param part headers that the class does not name are let through, anything else unknown is an offender
 * @param errors receives one entry per offender
 */
export function bind<T extends object>(type: ClassConstructor<T>, sent: object, part: RequestPart, errors: InvalidPart[]): T {
  const members = membersOf(type);
  if (part !== 'header') refuseAll(Object.keys(sent).filter((key) => !members.has(key)), part, errors);

  const once = part === 'query' ? withoutRepeated(sent, members, errors) : sent;
  const bound = toInstance(type, members, once as Record<string, unknown>);
  const found = validateSync(bound, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true, forbidUnknownValues: false });
  for (const error of found) errors.push(...offenders(part, error, []));
  for (const { path, detail } of (bound as WithOffences)[OFFENCES]?.() ?? []) errors.push(invalidPart(part, path, detail));
  return bound;
}

/** Names members of a part that an operation does not take. */
export const refuseAll = (keys: readonly string[], part: RequestPart, errors: InvalidPart[]): void => {
  for (const key of keys.slice(0, MAX_UNKNOWN)) errors.push(invalidPart(part, [key], unknownPart(part)));
};

const membersByType = new Map<ClassConstructor<object>, ReadonlyMap<string, boolean>>();

/** Members of a request class: name to whether it is a request class itself. Decorators say it once and for all. */
function membersOf(type: ClassConstructor<object>): ReadonlyMap<string, boolean> {
  const known = membersByType.get(type);
  if (known) return known;
  const members = new Map<string, boolean>();
  membersByType.set(type, members);
  for (const { propertyName, type: rule } of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    members.set(propertyName, members.get(propertyName) === true || rule === ValidationTypes.NESTED_VALIDATION);
  }
  return members;
}

/**
 * class-transformer sees the known members alone, and an object or array only where a request class is declared for it:
 * it recurses without a bound, takes a member `constructor` for a class to call, drops members that are named like
 * methods of every object, and takes a time quadratic in the number of members.
 */
function toInstance<T extends object>(type: ClassConstructor<T>, members: ReadonlyMap<string, boolean>, sent: Record<string, unknown>): T {
  const known = [...members.keys()].filter((name) => Object.hasOwn(sent, name));
  const opaque = known.filter((name) => typeof sent[name] === 'object' && sent[name] !== null && !members.get(name));
  const plain = Object.fromEntries(known.map((name) => [name, opaque.includes(name) ? {} : sent[name]]));
  return Object.assign(plainToInstance(type, plain), Object.fromEntries(opaque.map((name) => [name, sent[name]])));
}

function withoutRepeated(sent: object, members: ReadonlyMap<string, boolean>, errors: InvalidPart[]): object {
  const repeated = Object.entries(sent).filter(([key, value]) => Array.isArray(value) && members.has(key));
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
