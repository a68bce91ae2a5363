import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { Check, IfPresent, integerBetween, oneOf, text, toInteger, toLowerCase, uuid } from './checks.js';

/** What a field of a request class says of itself beside its rule. */
export interface FieldOptions {
  readonly description: string;
  /** `optional`: absent or `null`; `if-present`: absent only. */
  readonly presence?: 'required' | 'optional' | 'if-present';
  readonly default?: string | number;
  readonly example?: string | number;
}

/** One decorator per field, so that what is enforced is what is documented. */
export function Field(options: FieldOptions, schema: ApiPropertyOptions, ...rules: PropertyDecorator[]): PropertyDecorator {
  const { presence = 'required', ...documented } = options;
  const skip = { required: [], optional: [IsOptional()], 'if-present': [IfPresent()] }[presence];
  const api = { ...schema, ...documented, required: presence === 'required', ...(presence === 'optional' && { nullable: true }) } as ApiPropertyOptions;
  return applyDecorators(ApiProperty(api), ...skip, ...rules);
}

export const UuidField = (options: FieldOptions): PropertyDecorator =>
  Field(options, { type: String, format: 'uuid' }, Transform(({ value }) => toLowerCase(value)), Check(uuid));

/** A string of `min` to `max` code points. */
export const TextField = (min: number, max: number, options: FieldOptions): PropertyDecorator =>
  Field(options, { type: String, minLength: min, maxLength: max }, Check(text(min, max)));

export const EnumField = (allowed: readonly string[], options: FieldOptions): PropertyDecorator =>
  Field(options, { type: String, enum: options.presence === 'optional' ? [...allowed, null] : [...allowed] }, Check(oneOf(allowed)));

/** A whole number in a path or query, `min` to `max` inclusive. */
export const IntegerField = (min: number, max: number, options: FieldOptions): PropertyDecorator =>
  Field(options, { type: 'integer', minimum: min, maximum: max }, Transform(({ value }) => toInteger(value)), Check(integerBetween(min, max)));
