import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** How a member of a request class gets its value. class-validator then checks the value. */
export interface Reading {
  /** Parses the value; a value that it cannot parse is left unchanged and fails validation. */
  readonly read?: (sent: unknown) => unknown;
  /** Class of a nested object, chosen by its sibling members. */
  readonly nested?: (siblings: Readonly<Record<string, unknown>>) => Type<object> | undefined;
  /** Names that clients use for this member by mistake. */
  readonly mistakenFor?: readonly string[];
}

const declared = new WeakMap<object, Map<string, Reading>>();
const collected = new WeakMap<Type<object>, ReadonlyMap<string, Reading>>();

/** Declares how a member is read. Without this decorator, the member keeps the value that was sent. */
export const ReadAs =
  (reading: Reading): PropertyDecorator =>
  (prototype, member) => {
    const own = declared.get(prototype) ?? new Map<string, Reading>();
    declared.set(prototype, own.set(String(member), reading));
  };

/** The members of a request class that have a class-validator decorator, including inherited members. */
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
