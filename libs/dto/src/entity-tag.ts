import { Field } from './field-decorators.js';
import { Satisfies } from './satisfies.decorator.js';

const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
/** A list may have empty elements (RFC 9110 section 5.6.1.2), and a tag may contain commas. */
const TAG_LIST = new RegExp(`^[ \\t,]*${TAG}[ \\t]*(?:,[ \\t]*(?:${TAG}[ \\t]*)?)*$`);
/** The usual form, for the OpenAPI document. */
const PATTERN = '^(\\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$';
const OUR_TAG = /^"([1-9]\d{0,8})"$/;

/** Strong entity tag (RFC 9110 section 8.8.3) for a version of a record. */
export const entityTag = (version: number): string => `"${version}"`;

/** The header of a response with an entity tag, for the OpenAPI document. */
export const entityTagHeader = (what: string) => ({
  ETag: { description: `Version of the ${what}, for If-Match and If-None-Match.`, schema: { type: 'string' as const } },
});

const split = (header: string): string[] => header.match(new RegExp(TAG, 'g')) ?? [];

const isTagList = (value: unknown): boolean => typeof value === 'string' && (value.trim() === '*' || TAG_LIST.test(value));

const TagListField = (description: string): PropertyDecorator =>
  Field(
    { description, presence: 'if-present' },
    { type: String, minLength: 1, pattern: PATTERN },
    Satisfies((value) => (isTagList(value) ? undefined : 'must be * or a list of entity tags such as "1"')),
  );

/** Headers that make a write conditional (RFC 9110 sections 13.1.1 and 13.1.2). */
export class WriteConditions {
  @TagListField('Entity tags of the versions that the write may change.')
  'if-match'?: string;

  @TagListField('With `*`, the record must not exist yet; with entity tags, it must have none of these versions.')
  'if-none-match'?: string;
}

/** Headers that make a read conditional (RFC 9110 section 13.1.2). */
export class ReadConditions {
  @TagListField('Entity tags of the versions you have; 304 if one of them is current.')
  'if-none-match'?: string;
}

const names = (header: string, tags: readonly string[], version: number | undefined): boolean =>
  version !== undefined && (header.trim() === '*' || tags.includes(entityTag(version)));

/**
 * Whether the conditions allow a write (RFC 9110 sections 13.1.1 and 13.1.2). Weak tags never match in `If-Match`.
 *
 * @param version the version of the record; `undefined` if there is no record
 */
export function meetsConditions({ 'if-match': match, 'if-none-match': noneMatch }: WriteConditions, version: number | undefined): boolean {
  if (match !== undefined && !names(match, split(match), version)) return false;
  return noneMatch === undefined || !names(noneMatch, split(noneMatch.replaceAll('W/"', '"')), version);
}

/**
 * The versions that an `If-Match` header allows. Weak tags never match (RFC 9110 section 13.1.1).
 *
 * @returns `undefined` if every version is allowed
 */
export function allowedVersions(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return split(ifMatch)
    .flatMap((tag) => OUR_TAG.exec(tag)?.[1] ?? [])
    .map(Number);
}
