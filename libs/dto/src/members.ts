import type { Type } from '@nestjs/common';
import { Allow, getMetadataStorage } from 'class-validator';

/** How a member of a request class gets its value. class-validator then checks the value. */
export interface Reading {
  /** Parses the value; a value that it cannot parse is left unchanged and fails validation. */
  readonly read?: (sent: unknown) => unknown;
  /** Class of a nested object, chosen by its sibling members. */
  readonly nested?: (siblings: Readonly<Record<string, unknown>>) => Type<object> | undefined;
  /** Names that clients use for this member by mistake. */
  readonly mistakenFor?: readonly string[];
}

interface ReadingContext {
  readonly reading?: Reading;
}

const collected = new WeakMap<Type<object>, ReadonlyMap<string, Reading>>();

/**
 * Declares how a member is read. Without this decorator, the member keeps the value that was sent. It is stored with class-validator's own
 * decorators, so that Nest's mapped types (`IntersectionType`, `PickType` ...) copy it along with them.
 */
export const ReadAs = (reading: Reading): PropertyDecorator => Allow({ context: { reading } satisfies ReadingContext });

/** The members of a request class that have a class-validator decorator, including inherited members. */
export function membersOf(type: Type<object>): ReadonlyMap<string, Reading> {
  let members = collected.get(type);
  if (!members) {
    const found = new Map<string, Reading>();
    for (const { propertyName, context } of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
      const { reading } = (context ?? {}) as ReadingContext;
      if (reading || !found.has(propertyName)) found.set(propertyName, reading ?? {});
    }
    collected.set(type, (members = found));
  }
  return members;
}
