import { DecimalField, Field, type FieldOptions, keyPattern, keyText, Satisfies } from '@fibre/dto';
import { Matches } from 'class-validator';

/** Maximum lengths of strings, in code points. */
export const MAX_REFERENCE = 255;
export const MAX_REGISTER_ID = 64;
const MAX_TECHNOLOGY = 64;
const MAX_MBPS = 1_000_000;

/** Converts only ASCII letters: ß, for example, would become two letters in upper case. */
const upperCase = (sent: unknown): unknown => (typeof sent === 'string' && /^[a-z]{2}$/i.test(sent) ? sent.toUpperCase() : sent);

/** A spreadsheet runs a cell that begins in this way. */
const FORMULA = /^([=+@]|-[^])/;
/** Text that other tenants get in tables. */
export const PublicTextField = (max: number, options: FieldOptions): PropertyDecorator =>
  Field(
    options,
    { type: String, minLength: 1, maxLength: max, pattern: `^-$|${keyPattern('=+\\-@')}` },
    Satisfies(keyText(1, max)),
    Satisfies((value) =>
      FORMULA.test(String(value)) ? 'must not begin with =, + or @, or with - and more, like a formula in a spreadsheet' : undefined,
    ),
  );
/** Case-insensitive. */
export const TechnologyField = (options: FieldOptions): PropertyDecorator => PublicTextField(MAX_TECHNOLOGY, options);
/** An id in the register of addresses, which the operator of the platform names. */
export const AddressIdField = (options: FieldOptions): PropertyDecorator => PublicTextField(MAX_REGISTER_ID, options);
export const CountryField = (options: FieldOptions): PropertyDecorator =>
  Field(
    { example: 'AT', read: upperCase, ...options },
    { type: String, pattern: '^[A-Za-z]{2}$' },
    Matches(/^[A-Z]{2}$/, { message: 'must be a two-letter country code (ISO 3166-1)' }),
  );

export const SpeedField = (description: string): PropertyDecorator =>
  DecimalField(0, MAX_MBPS, 3, {
    description: `Highest ${description} speed on offer, in Mbit/s with at most three decimals.`,
    presence: 'optional',
    example: 1_000,
  });
