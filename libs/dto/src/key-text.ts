import { Field, type FieldOptions, Satisfies } from './field-decorators.js';
import { text } from './value-checks.js';

/** Control characters (U+0000 to U+001F, U+007F to U+009F), and characters that no one sees, in a character class. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';
const INVISIBLE = '\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060\\ufeff';

const UNSEEN_IN_KEY = [
  { found: new RegExp(`[${CONTROL}]`), what: 'a control character' },
  { found: new RegExp(`[${INVISIBLE}]`), what: 'an invisible character' },
];
const UNSEEN_IN_NAME = UNSEEN_IN_KEY.slice(0, 1);

/**
 * The pattern of a text without these characters, and without white space at its ends, for the OpenAPI documents.
 *
 * @param notFirst further characters that the text does not begin with, as in a character class
 */
const patternWithout = (characters: string, notFirst = ''): string =>
  `^[^\\s${characters}${notFirst}]([^${characters}]*[^\\s${characters}])?$`;
/** The pattern of a {@link keyText}. */
export const keyPattern = (notFirst = ''): string => patternWithout(CONTROL + INVISIBLE, notFirst);

/**
 * A text of `min` to `max` code points by which others find a record. It contains nothing that a reader cannot see, so that two texts that
 * look the same are the same: no white space at its ends, no control and no invisible characters.
 */
export const keyText =
  (min: number, max: number) =>
  (value: unknown): string | undefined =>
    text(min, max)(value) ?? unseen(value as string, UNSEEN_IN_KEY);

/** A {@link keyText}. */
export const KeyField = (min: number, max: number, options: FieldOptions): PropertyDecorator =>
  Field(options, { type: String, minLength: min, maxLength: max, pattern: keyPattern() }, Satisfies(keyText(min, max)));

/** A name that people read, of `min` to `max` code points: without white space at its ends and without control characters. */
export const NameField = (min: number, max: number, options: FieldOptions): PropertyDecorator =>
  Field(
    options,
    { type: String, minLength: min, maxLength: max, pattern: patternWithout(CONTROL) },
    Satisfies((value) => text(min, max)(value) ?? unseen(value as string, UNSEEN_IN_NAME)),
  );

function unseen(value: string, kinds: typeof UNSEEN_IN_KEY): string | undefined {
  for (const { found, what } of kinds) {
    const match = found.exec(value);
    if (match) return `must not contain ${what}; it has ${characterAt(value, match.index)}`;
  }
  if (/^\s/.test(value)) return `must not begin with white space; it has ${characterAt(value, 0)}`;
  return /\s$/.test(value) ? `must not end with white space; it has ${characterAt(value, value.length - 1)}` : undefined;
}

/** Such as `U+00A0 as character 7`, counted in code points from 1. */
const characterAt = (value: string, index: number): string =>
  `U+${value.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')} as character ${[...value.slice(0, index)].length + 1}`;
