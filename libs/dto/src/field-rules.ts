import type { Type } from '@nestjs/common';
import type { CheckFunction } from './checks.js';

/** Whether a member has to be there. `optional`: absent or `null`; `if-present`: absent only. */
export type Presence = 'required' | 'optional' | 'if-present';

/** What holds for one member of a request class. */
export interface FieldRule {
  presence: Presence;
  /** Reads what was sent; what it cannot read stays as it is, for the check to refuse. */
  convert: (sent: unknown) => unknown;
  check: CheckFunction;
}

const ANYTHING: FieldRule = { presence: 'required', convert: (sent) => sent, check: () => undefined };

const declared = new WeakMap<object, Map<string, FieldRule>>();
const collected = new WeakMap<Type<object>, ReadonlyMap<string, FieldRule>>();

/**
 * Sets rules of a member.
 *
 * Not class-validator and class-transformer, which were here first: they took 0.08 ms of a request, called members that
 * a client had named `constructor`, and recursed without a bound.
 */
export const Rule =
  (rule: Partial<FieldRule>): PropertyDecorator =>
  (prototype, member) => {
    const rules = declared.get(prototype) ?? new Map<string, FieldRule>();
    rules.set(String(member), { ...ANYTHING, ...rules.get(String(member)), ...rule });
    declared.set(prototype, rules);
  };

/** Validates a member by a pure function, whose text becomes the `detail` of the offender. */
export const Check = (check: CheckFunction): PropertyDecorator => Rule({ check });

/** Reads a member that is sent as text. */
export const Convert = (convert: FieldRule['convert']): PropertyDecorator => Rule({ convert });

/** The members of a request class, inherited ones first. */
export function rulesOf(type: Type<object>): ReadonlyMap<string, FieldRule> {
  let rules = collected.get(type);
  if (!rules) {
    const own = declared.get(type.prototype as object) ?? new Map<string, FieldRule>();
    const above = Object.getPrototypeOf(type) as Type<object> | null;
    rules = new Map([...(above?.prototype ? rulesOf(above) : []), ...own]);
    collected.set(type, rules);
  }
  return rules;
}
