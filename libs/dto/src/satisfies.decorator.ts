import { ValidateBy, type ValidationArguments } from 'class-validator';
import type { ValueCheck } from './value-checks.js';

/** What a failed {@link Satisfies} leaves in the `contexts` of class-validator's error, to say what is wrong and where. */
export interface CheckContext {
  readonly check: ValueCheck<never>;
}

/** Each has a name of its own: class-validator keeps contexts by name, and a member may have several checks. */
let declared = 0;

/** A validator of class-validator from a pure check, for the rules that its own decorators do not have. */
export function Satisfies<Request extends object>(check: ValueCheck<Request>): PropertyDecorator {
  const name = `satisfies-${++declared}`;
  const validate = (value: unknown, args?: ValidationArguments): boolean => check(value, args!.object as Request) === undefined;
  return ValidateBy({ name, validator: { validate } }, { message: name, context: { check } satisfies CheckContext });
}
