import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { integerBetween, oneOf, text, toInteger, toLowerCase, uuid } from './checks.js';
import { Check, Convert, type Presence, Rule } from './field-rules.js';

/** What a field of a request class says of itself beside its rule. */
export interface FieldOptions {
  readonly description: string;
  /** Required when not said otherwise. */
  readonly presence?: Presence;
  readonly default?: string | number;
  readonly example?: string | number;
}

/** One decorator per field, so that what is enforced is what is documented. */
export function Field(options: FieldOptions, schema: ApiPropertyOptions, ...rules: PropertyDecorator[]): PropertyDecorator {
  const { presence = 'required', ...documented } = options;
  const api = {
    ...schema,
    ...documented,
    required: presence === 'required',
    ...(presence === 'optional' && { nullable: true }),
  } as ApiPropertyOptions;
  return applyDecorators(ApiProperty(api), Rule({ presence }), ...rules);
}

export const UuidField = (options: FieldOptions): PropertyDecorator =>
  Field(options, { type: String, format: 'uuid' }, Convert(toLowerCase), Check(uuid));

/** A string of `min` to `max` code points. */
export const TextField = (min: number, max: number, options: FieldOptions): PropertyDecorator =>
  Field(options, { type: String, minLength: min, maxLength: max }, Check(text(min, max)));

export const EnumField = (allowed: readonly string[], options: FieldOptions): PropertyDecorator =>
  Field(options, { type: String, enum: options.presence === 'optional' ? [...allowed, null] : [...allowed] }, Check(oneOf(allowed)));

/** A whole number in a path or query, `min` to `max` inclusive. */
export const IntegerField = (min: number, max: number, options: FieldOptions): PropertyDecorator =>
  Field(options, { type: 'integer', minimum: min, maximum: max }, Convert(toInteger), Check(integerBetween(min, max)));
