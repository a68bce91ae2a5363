import { type CheckContext, type Fault, membersOf, type Reading } from '@fibre/dto';
import { type InvalidPart, jsonPointer, MAX_INVALID_PARTS, shortName } from '@fibre/problems';
import type { Type } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';

/** Where in a request a value stands; decides how an offender in it is named. */
export type RequestPart = 'path' | 'query' | 'header' | 'body';

/** Collects the offenders of a request, as many as an answer names. */
export class InvalidParts {
  readonly found: InvalidPart[] = [];

  add(part: RequestPart, path: readonly string[], detail: string): void {
    if (this.found.length >= MAX_INVALID_PARTS) return;
    this.found.push(part === 'body' ? { pointer: jsonPointer(path), detail } : { parameter: shortName(path.join('.')), detail });
  }
}

/**
 * Makes a request class of what a client sent and validates it by class-validator, every offender named.
 *
 * What is not declared is found here, by comparing own names with the declared ones: class-validator's `forbidNonWhitelisted` lets a member
 * pass that is called like one of every object (`hasOwnProperty`, `__proto__`). Only declared own members are copied, so nothing of a client's
 * making ever stands where a class or a method is looked for.
 *
 * @param part headers that the class does not name are let through, anything else unknown is an offender
 */
export function readPart<T extends object>(type: Type<T>, sent: object, part: RequestPart, invalid: InvalidParts): T {
  const request = instanceOf(type, sent, part, [], invalid);
  const errors = validateSync(request, { forbidUnknownValues: false, stopAtFirstError: true, validationError: { target: true } });
  addErrors(errors, part, [], invalid);
  return request as T;
}

function instanceOf(type: Type<object>, sent: object, part: RequestPart, path: readonly string[], invalid: InvalidParts): object {
  const members = membersOf(type);
  // Of a class without members nothing inside is expected, and its own refusal says so.
  if (part !== 'header' && members.size > 0) refuseUnknown(members, sent, part, path, invalid);
  // Defaults are what the class itself sets.
  const instance = new type() as Record<string, unknown>;
  for (const [name, reading] of members) {
    if (!Object.hasOwn(sent, name)) continue;
    const value = once((sent as Record<string, unknown>)[name], part, name, invalid);
    if (reading.nested)
      instance[name] = nestedValue(reading.nested(sent as Record<string, unknown>), value, part, [...path, name], invalid);
    else instance[name] = reading.read ? reading.read(value) : value;
  }
  return instance;
}

/** `null` is absent. Without a class for it an object is left out: what decides about its class is refused already. */
function nestedValue(
  type: Type<object> | undefined,
  value: unknown,
  part: RequestPart,
  path: readonly string[],
  invalid: InvalidParts,
): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return type && instanceOf(type, value, part, path, invalid);
}

/** The query parser makes a list of a parameter that is given more than once. */
function once(value: unknown, part: RequestPart, name: string, invalid: InvalidParts): unknown {
  if (part !== 'query' || !Array.isArray(value)) return value;
  invalid.add(part, [name], 'is given more than once');
  return value[0];
}

/** Names what an operation does not take, and tells what it does. */
export function refuseUnknown(
  members: ReadonlyMap<string, Reading>,
  sent: object,
  part: RequestPart,
  path: readonly string[],
  invalid: InvalidParts,
): void {
  for (const name of Object.keys(sent)) {
    if (members.has(name)) continue;
    const meant = [...members].find(([, { mistakenFor }]) => mistakenFor?.includes(name))?.[0];
    const known = members.size === 0 ? 'it takes none' : `it takes ${[...members.keys()].join(', ')}`;
    const what = part === 'body' ? 'is not a member of this request' : 'is not a parameter of this operation';
    invalid.add(part, [...path, name], meant === undefined ? `${what}; ${known}` : `${what}; did you mean ${meant}?`);
    if (invalid.found.length >= MAX_INVALID_PARTS) return;
  }
}

function addErrors(errors: readonly ValidationError[], part: RequestPart, path: readonly string[], invalid: InvalidParts): void {
  for (const { property, constraints = {}, contexts, target, value, children = [] } of errors) {
    const inside = [...path, property];
    const [failed] = Object.keys(constraints);
    if (failed === undefined) {
      addErrors(children, part, inside, invalid);
      continue;
    }
    const context = contexts?.[failed] as CheckContext | undefined;
    const fault = context?.check(value, target as never) ?? constraints[failed]!;
    const faults: readonly Fault[] = typeof fault === 'string' ? [{ path: [], detail: fault }] : fault;
    for (const each of faults) invalid.add(part, [...inside, ...each.path], each.detail);
  }
}
