import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** How a member of a request class gets its value from what a client sent. class-validator then says whether the value is good. */
export interface Reading {
  /** Reads what was sent; what it cannot read stays as it is, for the validation to refuse. */
  readonly read?: (sent: unknown) => unknown;
  /** Class of the object that the member holds, by what was sent beside it. */
  readonly nested?: (siblings: Readonly<Record<string, unknown>>) => Type<object> | undefined;
  /** Names that clients use by mistake for this one. */
  readonly mistakenFor?: readonly string[];
}

const declared = new WeakMap<object, Map<string, Reading>>();
const collected = new WeakMap<Type<object>, ReadonlyMap<string, Reading>>();

/** Declares how a member is read. Without it the member is what was sent. */
export const ReadAs =
  (reading: Reading): PropertyDecorator =>
  (prototype, member) => {
    const own = declared.get(prototype) ?? new Map<string, Reading>();
    declared.set(prototype, own.set(String(member), reading));
  };

/** The members of a request class: those that a decorator of class-validator stands on, inherited ones included. */
export function membersOf(type: Type<object>): ReadonlyMap<string, Reading> {
  let members = collected.get(type);
  if (!members) {
    const validations = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    members = new Map(validations.map(({ propertyName }) => [propertyName, readingOf(type.prototype as object, propertyName)]));
    collected.set(type, members);
  }
  return members;
}

function readingOf(prototype: object, member: string): Reading {
  for (let each: object | null = prototype; each; each = Object.getPrototypeOf(each) as object | null) {
    const reading = declared.get(each)?.get(member);
    if (reading) return reading;
  }
  return {};
}
