import { ValidateBy, type ValidationArguments } from 'class-validator';
import type { ValueCheck } from './value-checks.js';

/** Stored by a failed {@link Satisfies} in the `contexts` of class-validator's error: the check, which says what is wrong and where. */
export interface CheckContext {
  readonly check: ValueCheck<never>;
}

/** Each decorator has its own name, because class-validator stores contexts by name and a member may have several checks. */
let declared = 0;

/** Makes a class-validator decorator from a pure check, for rules that class-validator lacks. */
export function Satisfies<Request extends object>(check: ValueCheck<Request>): PropertyDecorator {
  const name = `satisfies-${++declared}`;
  const validate = (value: unknown, args?: ValidationArguments): boolean => check(value, args!.object as Request) === undefined;
  return ValidateBy({ name, validator: { validate } }, { message: name, context: { check } satisfies CheckContext });
}
