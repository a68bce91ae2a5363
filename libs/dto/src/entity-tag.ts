import { Field } from './field-decorators.js';
import { Satisfies } from './satisfies.decorator.js';

const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
/** A list may have empty elements (RFC 9110 section 5.6.1.2), and a tag may have commas in it. */
const TAG_LIST = new RegExp(`^[ \\t,]*${TAG}[ \\t]*(?:,[ \\t]*(?:${TAG}[ \\t]*)?)*$`);
/** The usual writing of it, for the OpenAPI document. */
const PATTERN = '^(\\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$';
const OUR_TAG = /^"([1-9]\d{0,8})"$/;

/** Strong entity tag (RFC 9110 section 8.8.3) of a version of a record. */
export const entityTag = (version: number): string => `"${version}"`;

const split = (header: string): string[] => header.match(new RegExp(TAG, 'g')) ?? [];

const isTagList = (value: unknown): boolean => typeof value === 'string' && (value.trim() === '*' || TAG_LIST.test(value));

const TagListField = (description: string): PropertyDecorator =>
  Field(
    { description, presence: 'if-present' },
    { type: String, minLength: 1, pattern: PATTERN },
    Satisfies((value) => (isTagList(value) ? undefined : 'has to be * or a list of entity tags such as "1"')),
  );

/** Headers that make a write conditional (RFC 9110 section 13.1.1). */
export class WriteConditions {
  @TagListField('Entity tags of the versions the write is meant for.')
  'if-match'?: string;
}

/** Headers that make a read conditional (RFC 9110 section 13.1.2). */
export class ReadConditions {
  @TagListField('Entity tags of the versions you have; 304 when one is current.')
  'if-none-match'?: string;
}

/**
 * Versions an `If-Match` header allows. Weak tags never match (RFC 9110 section 13.1.1).
 *
 * @returns `undefined` when every version is allowed
 */
export function allowedVersions(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return split(ifMatch)
    .flatMap((tag) => OUR_TAG.exec(tag)?.[1] ?? [])
    .map(Number);
}
