import { type CheckContext, type Fault, membersOf, type Reading } from '@fibre/dto';
import { type InvalidPart, jsonPointer, MAX_INVALID_PARTS, shortName } from '@fibre/problems';
import type { Type } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import './rules-of-class.js';

/** The part of a request that contains a value; it determines how a response names an invalid value. */
export type RequestPart = 'path' | 'query' | 'header' | 'body';

/** Collects the invalid parts of a request, as many as a response lists. */
export class InvalidParts {
  readonly found: InvalidPart[] = [];

  /** @param place where the value is: its part of the request, and the path within it */
  add({ part, path }: Place, detail: string): void {
    if (this.isFull) return;
    this.found.push(part === 'body' ? { pointer: jsonPointer(path), detail } : { parameter: shortName(path.join('.')), detail });
  }

  get isFull(): boolean {
    return this.found.length >= MAX_INVALID_PARTS;
  }
}

interface Place {
  readonly part: RequestPart;
  readonly path: readonly string[];
}
const inside = ({ part, path }: Place, ...names: readonly string[]): Place => ({ part, path: [...path, ...names] });

/** A request with rules that its handler judges, because what is stored decides whether they apply. */
interface JudgedByHandler {
  /** What these rules would say. It is listed beside other faults, so that a response names every one. */
  faultsForHandler(): readonly Fault[];
}
const isJudgedByHandler = (request: object): request is JudgedByHandler => 'faultsForHandler' in request;

/**
 * Creates an instance of a request class from what a client sent and validates it with class-validator, listing every invalid part.
 *
 * Unknown members are found here, because class-validator's `forbidNonWhitelisted` accepts names that every object has
 * (`hasOwnProperty`, `__proto__`). Only declared own members are copied, so a client can never replace a class or a method.
 *
 * @param part the part of the request; unknown names are ignored in `header`, and invalid elsewhere
 */
export function readPart<T extends object>(type: Type<T>, sent: object, part: RequestPart, invalid: InvalidParts): T {
  const place = { part, path: [] };
  const request = instanceOf(type, sent, place, invalid);
  const errors = validateSync(request, { forbidUnknownValues: false, stopAtFirstError: true, validationError: { target: true } });
  addErrors(errors, place, invalid);
  if (invalid.found.length > 0 && isJudgedByHandler(request))
    for (const { path, detail } of request.faultsForHandler()) invalid.add(inside(place, ...path), detail);
  return request as T;
}

function instanceOf(type: Type<object>, sent: object, place: Place, invalid: InvalidParts): object {
  const members = membersOf(type);
  // For a class without members, the field's own check rejects the whole object.
  if (place.part !== 'header' && members.size > 0) refuseUnknown(members, sent, place, invalid);
  // The class itself sets the defaults.
  const instance = new type() as Record<string, unknown>;
  for (const [name, { nested, read }] of members) {
    if (!Object.hasOwn(sent, name)) continue;
    let value = (sent as Record<string, unknown>)[name];
    // The query parser turns a repeated parameter into an array.
    if (place.part === 'query' && Array.isArray(value)) {
      invalid.add(inside(place, name), 'is repeated');
      value = value[0];
    }
    if (!nested) instance[name] = read ? read(value) : value;
    // `null` counts as absent. An object without a class is left out: the member that decides its class is already invalid.
    else if (typeof value !== 'object' || Array.isArray(value)) instance[name] = value;
    else {
      const nestedType = value === null ? undefined : nested(sent as Record<string, unknown>);
      instance[name] = nestedType && instanceOf(nestedType, value!, inside(place, name), invalid);
    }
  }
  return instance;
}

/** Reports a name that the operation does not know, and suggests names that it does know. */
export function refuseUnknown(members: ReadonlyMap<string, Reading>, sent: object, place: Place, invalid: InvalidParts): void {
  for (const name of Object.keys(sent)) {
    if (members.has(name)) continue;
    const meant = [...members].find(([, { mistakenFor }]) => mistakenFor?.includes(name))?.[0];
    const known = members.size === 0 ? 'none are allowed' : `allowed: ${[...members.keys()].join(', ')}`;
    const what = place.part === 'body' ? 'is not a member of this request body' : 'is not a parameter of this operation';
    invalid.add(inside(place, name), meant === undefined ? `${what}; ${known}` : `${what}; did you mean ${meant}?`);
    if (invalid.isFull) return;
  }
}

function addErrors(errors: readonly ValidationError[], place: Place, invalid: InvalidParts): void {
  for (const { property, constraints = {}, contexts, target, value, children = [] } of errors) {
    const ofProperty = inside(place, property);
    const [failed] = Object.keys(constraints);
    if (failed === undefined) {
      addErrors(children, ofProperty, invalid);
      continue;
    }
    const context = contexts?.[failed] as CheckContext | undefined;
    const fault = context?.check(value, target as never) ?? constraints[failed]!;
    const faults: readonly Fault[] = typeof fault === 'string' ? [{ path: [], detail: fault }] : fault;
    for (const { path, detail } of faults) invalid.add(inside(ofProperty, ...path), detail);
  }
}
