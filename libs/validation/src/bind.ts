import type { Type } from '@nestjs/common';
import { rulesOf } from '@fibre/dto';
import { type InvalidPart, jsonPointer } from '@fibre/problems';

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
export function bind<T extends object>(type: Type<T>, sent: object, part: RequestPart, errors: InvalidPart[]): T {
  const rules = rulesOf(type);
  if (part !== 'header')
    refuseAll(
      Object.keys(sent).filter((key) => !rules.has(key)),
      part,
      errors,
    );

  // Defaults are what the class itself sets.
  const bound = new type() as Record<string, unknown>;
  for (const [name, { presence, convert, check }] of rules) {
    if (Object.hasOwn(sent, name)) bound[name] = convert(once((sent as Record<string, unknown>)[name], part, name, errors));
    const value = bound[name];
    if ((value === undefined && presence !== 'required') || (value === null && presence === 'optional')) continue;
    const detail = check(value);
    if (detail !== undefined) errors.push(invalidPart(part, [name], detail));
  }
  for (const { path, detail } of (bound as WithOffences)[OFFENCES]?.() ?? []) errors.push(invalidPart(part, path, detail));
  return bound as T;
}

/** The query parser makes a list of a parameter that is given more than once. */
function once(value: unknown, part: RequestPart, name: string, errors: InvalidPart[]): unknown {
  if (part !== 'query' || !Array.isArray(value)) return value;
  errors.push(invalidPart(part, [name], 'is given more than once'));
  return value[0];
}

/** Names members of a part that an operation does not take. */
export const refuseAll = (keys: readonly string[], part: RequestPart, errors: InvalidPart[]): void => {
  for (const key of keys.slice(0, MAX_UNKNOWN)) errors.push(invalidPart(part, [key], unknownPart(part)));
};

const unknownPart = (part: RequestPart): string =>
  part === 'body' ? 'is not a member of this request' : 'is not a parameter of this operation';

function invalidPart(part: RequestPart, path: readonly string[], detail: string): InvalidPart {
  return part === 'body' ? { pointer: jsonPointer(path), detail } : { parameter: path.join('.'), detail };
}
