import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  Allow,
  getMetadataStorage,
  IsDefined,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsUUID,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { isCalendarDate, precisionFault, Timestamp } from './timestamp.js';
import { characterFault, text, type ValueCheck } from './value-checks.js';

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

/** Whether a member is required. `optional`: can be absent or `null`; `if-present`: can only be absent; `by-rule`: validators decide. */
export type Presence = 'required' | 'optional' | 'if-present' | 'by-rule';

/** Options of a field, in addition to its rule. */
export interface FieldOptions {
  readonly description: string;
  /** Required by default. */
  readonly presence?: Presence;
  readonly default?: string | number;
  readonly example?: string | number;
}

const PRESENCE: Readonly<Record<Presence, () => PropertyDecorator>> = {
  required: () => IsDefined({ message: 'is required' }),
  optional: () => IsOptional(),
  'if-present': () => ValidateIf((_request, value) => value !== undefined),
  'by-rule': () => Allow(),
};

/** Stored by a failed {@link Satisfies} in the `contexts` of class-validator's error: the check, which says what is wrong and where. */
export interface CheckContext {
  readonly check: ValueCheck<never>;
}

/** Each decorator has its own name, because class-validator stores contexts by name and a member may have several checks. */
let declared = 0;

/** Makes a class-validator decorator from a pure check, for rules that class-validator lacks. */
export function Satisfies<Request extends object>(check: ValueCheck<Request>): PropertyDecorator {
  const name = `satisfies-${++declared}`;
  const validate = (value: unknown, args?: { object: object }): boolean => check(value, args!.object as Request) === undefined;
  return ValidateBy({ name, validator: { validate } }, { message: name, context: { check } satisfies CheckContext });
}

/** What {@link StorableText} requires, as far as a pattern can say it, for the OpenAPI documents. */
const NO_NUL = '^[^\\x00]*$';
const isFreeText = ({ type, format, enum: values, pattern }: ApiPropertyOptions): boolean =>
  type === String && !format && !values && !pattern;

/** Comes before all rules of a field: some cannot read other text, and none needs to think of it. */
const StorableText = Satisfies((value) => (typeof value === 'string' ? characterFault(value) : undefined));

/** Parses a whole number in a query parameter; anything else is left unchanged and fails validation. */
export const toInteger = (sent: unknown): unknown => (typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : sent);

/** Converts strings to lower case; UUIDs are compared and returned in lower case. */
export const toLowerCase = (sent: unknown): unknown => (typeof sent === 'string' ? sent.toLowerCase() : sent);

/**
 * Declares a member of a request class. One decorator both validates and documents a field.
 *
 * @param validators class-validator decorators, or {@link Satisfies}; the first one that fails is reported
 */
export function Field(
  options: FieldOptions & Reading,
  schema: ApiPropertyOptions,
  ...validators: readonly PropertyDecorator[]
): PropertyDecorator {
  const { presence = 'required', read, nested, mistakenFor, ...documented } = options;
  const text = isFreeText(schema) && { pattern: NO_NUL };
  const api = { ...schema, ...text, ...documented, required: presence === 'required', ...(presence === 'optional' && { nullable: true }) };
  return applyDecorators(
    ApiProperty(api as ApiPropertyOptions),
    ReadAs({ read, nested, mistakenFor }),
    PRESENCE[presence](),
    StorableText,
    ...validators,
  );
}

/** A UUID of any version (RFC 9562) in either case, converted to lower case. */
export const UuidField = (options: FieldOptions): PropertyDecorator =>
  Field({ read: toLowerCase, ...options }, { type: String, format: 'uuid' }, IsUUID('loose', { message: 'must be a UUID' }));

/** A string of `min` to `max` code points. */
export const TextField = (min: number, max: number, options: FieldOptions): PropertyDecorator =>
  Field(options, { type: String, minLength: min, maxLength: max }, Satisfies(text(min, max)));

/** One of a fixed list of strings. */
export const EnumField = (allowed: readonly string[], options: FieldOptions): PropertyDecorator =>
  Field(
    options,
    { type: String, enum: options.presence === 'optional' ? [...allowed, null] : [...allowed] },
    IsIn(allowed, { message: `must be one of ${allowed.join(', ')}` }),
  );

/** A whole number in a body, `min` to `max` inclusive: a JSON number, not a string. */
export function IntegerField(min: number, max: number, options: FieldOptions & Reading): PropertyDecorator {
  const said = { message: `must be a whole number from ${min} to ${max}` };
  return Field(options, { type: 'integer', minimum: min, maximum: max }, IsInt(said), Min(min, said), Max(max, said));
}

/**
 * Any number in a body, `min` to `max` inclusive: a JSON number, not a string.
 *
 * @param what name of the number in error messages
 */
export function NumberField(min: number, max: number, options: FieldOptions & Reading, what = 'a number'): PropertyDecorator {
  const said = { message: `must be ${what} from ${min} to ${max}` };
  return Field(options, { type: Number, minimum: min, maximum: max }, IsNumber({}, said), Min(min, said), Max(max, said));
}

/** Like {@link NumberField}, with at most `decimals` decimals. */
export function DecimalField(min: number, max: number, decimals: number, options: FieldOptions): PropertyDecorator {
  const isValid = (value: unknown): boolean =>
    typeof value === 'number' && value >= min && value <= max && value === Number(value.toFixed(decimals));
  return Field(
    options,
    { type: Number, minimum: min, maximum: max, multipleOf: 10 ** -decimals },
    Satisfies((value) => (isValid(value) ? undefined : `must be a number from ${min} to ${max} with at most ${decimals} decimals`)),
  );
}

/** A whole number in a path or query, where everything is text: only digits. */
export const IntegerParameter = (min: number, max: number, options: FieldOptions): PropertyDecorator =>
  IntegerField(min, max, { read: toInteger, ...options });

/** A timestamp with UTC offset (RFC 3339), to the microsecond, read as a {@link Timestamp}. */
export const TimestampField = (options: FieldOptions): PropertyDecorator =>
  Field(
    { read: (sent) => Timestamp.parse(sent) ?? sent, ...options },
    // No pattern: generated C# clients match it against a time and do not compile.
    { type: String, format: 'date-time' },
    Satisfies((value) => {
      if (value === undefined || value instanceof Timestamp) return undefined;
      const precise = precisionFault(value);
      if (precise !== undefined) return precise;
      const rule = 'must be a timestamp with UTC offset and at most six decimals, such as 2026-02-01T16:00:00+01:00';
      // In a query, + means a space.
      return typeof value === 'string' && / \d\d:\d\d$/.test(value) ? `${rule}; write + as %2B in a URL` : rule;
    }),
  );

/** A day that exists, as `YYYY-MM-DD`. */
export const DateField = (options: FieldOptions, ...validators: readonly PropertyDecorator[]): PropertyDecorator =>
  Field(
    options,
    { type: String, format: 'date' },
    Satisfies((value) => (isCalendarDate(value) ? undefined : 'must be a date (YYYY-MM-DD)')),
    ...validators,
  );

/** A member that a client must not send, with the reason. */
export const Refused = (why: string): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Satisfies(() => why),
  );

/** Names response members that a client cannot set, so that the error message says why. */
export const ReadOnly =
  (...members: readonly string[]): ClassDecorator =>
  ({ prototype }) => {
    for (const member of members)
      for (const decorate of [PRESENCE['if-present'](), Satisfies(() => 'is read-only')]) decorate(prototype as object, member);
  };
