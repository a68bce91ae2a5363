import { type CheckContext, type Fault, membersOf, type Reading } from '@fibre/dto';
import { type InvalidPart, jsonPointer, MAX_INVALID_PARTS, shortName } from '@fibre/problems';
import type { Type } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';

/** The part of a request that contains a value; it determines how a response names an invalid value. */
export type RequestPart = 'path' | 'query' | 'header' | 'body';

/** Collects the invalid parts of a request, as many as a response lists. */
export class InvalidParts {
  readonly found: InvalidPart[] = [];

  add(part: RequestPart, path: readonly string[], detail: string): void {
    if (this.found.length >= MAX_INVALID_PARTS) return;
    this.found.push(part === 'body' ? { pointer: jsonPointer(path), detail } : { parameter: shortName(path.join('.')), detail });
  }
}

/**
 * Creates an instance of a request class from what a client sent and validates it with class-validator, listing every invalid part.
 *
 * Unknown members are found here, because class-validator's `forbidNonWhitelisted` accepts names that every object has
 * (`hasOwnProperty`, `__proto__`). Only declared own members are copied, so a client can never replace a class or a method.
 *
 * @param part the part of the request; unknown names are ignored in `header`, and invalid elsewhere
 */
export function readPart<T extends object>(type: Type<T>, sent: object, part: RequestPart, invalid: InvalidParts): T {
  const request = instanceOf(type, sent, part, [], invalid);
  const errors = validateSync(request, { forbidUnknownValues: false, stopAtFirstError: true, validationError: { target: true } });
  addErrors(errors, part, [], invalid);
  return request as T;
}

function instanceOf(type: Type<object>, sent: object, part: RequestPart, path: readonly string[], invalid: InvalidParts): object {
  const members = membersOf(type);
  // For a class without members, the field's own check rejects the whole object.
  if (part !== 'header' && members.size > 0) refuseUnknown(members, sent, part, path, invalid);
  // The class itself sets the defaults.
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

/** `null` counts as absent. An object without a class is left out, because the member that decides its class is already invalid. */
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

/** The query parser turns a repeated parameter into an array. */
function once(value: unknown, part: RequestPart, name: string, invalid: InvalidParts): unknown {
  if (part !== 'query' || !Array.isArray(value)) return value;
  invalid.add(part, [name], 'is repeated');
  return value[0];
}

/** Reports a name that the operation does not know, and suggests names that it does know. */
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
    const known = members.size === 0 ? 'none are allowed' : `allowed: ${[...members.keys()].join(', ')}`;
    const what = part === 'body' ? 'is not a member of this request body' : 'is not a parameter of this operation';
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
