import { preconditionFailed } from '@fibre/problems';
import { Field, Satisfies } from './field-decorators.js';

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

const CHANGED = 'changed since the version in If-Match';
const EXCLUDED = 'a version that If-None-Match excludes';

/** The tags in a header, or `*`. */
type Tags = readonly string[] | '*';

function tagsIn(header: string | undefined): Tags | undefined {
  if (header === undefined) return undefined;
  return header.trim() === '*' ? '*' : (header.match(new RegExp(TAG, 'g')) ?? []);
}

/** What the headers of a request say about the version of a record (RFC 9110 section 13.1). */
export class Conditions {
  private constructor(
    private readonly match: Tags | undefined,
    private readonly noneMatch: Tags | undefined,
  ) {}

  static parse(headers: WriteConditions): Conditions {
    const noneMatch = tagsIn(headers['if-none-match']);
    // Weak tags count in If-None-Match, but never match in If-Match.
    const strong = typeof noneMatch === 'object' ? noneMatch.map((tag) => tag.replace(/^W\//, '')) : noneMatch;
    return new Conditions(tagsIn(headers['if-match']), strong);
  }

  /** The versions that If-Match allows; `undefined` if it allows all. */
  get versions(): number[] | undefined {
    if (typeof this.match !== 'object') return undefined;
    return this.match.flatMap((tag) => OUR_TAG.exec(tag)?.[1] ?? []).map(Number);
  }

  /** @param tag the entity tag of the record; `undefined` if there is no record */
  allows(tag: string | undefined): boolean {
    return this.broken(tag) === undefined;
  }

  /**
   * @param version the version of the record; `undefined` if there is no record
   * @throws Problem 412 unless a write may change the record
   */
  require(what: string, version: number | undefined): void {
    const broken = this.broken(version === undefined ? undefined : entityTag(version));
    if (broken) throw preconditionFailed(`The ${what} has ${broken}.`);
  }

  /**
   * Changes a record, unless its version is not allowed.
   *
   * @param read returns the record, or throws if there is none
   * @param write changes the record if it is at one of these versions (any if `undefined`), and returns nothing otherwise; absent if there
   *   is nothing to change
   * @returns what `write` returned, or the record if there was nothing to change
   * @throws Problem 412
   */
  async change<Read extends { readonly version: number }, Written>(
    what: string,
    read: () => Promise<Read>,
    write: ((versions: number[] | undefined) => Promise<Written | undefined>) | undefined,
  ): Promise<Read | Written> {
    // Versions only grow, so none that If-None-Match names can become the current one after this.
    if (!write || this.noneMatch !== undefined) {
      const record = await read();
      this.require(what, record.version);
      if (!write) return record;
    }
    const written = await write(this.versions);
    if (written) return written;
    await read();
    throw preconditionFailed(`The ${what} has ${CHANGED}.`);
  }

  private broken(tag: string | undefined): string | undefined {
    const isIn = (tags: Tags): boolean => tag !== undefined && (tags === '*' || tags.includes(tag));
    if (this.match !== undefined && !isIn(this.match)) return CHANGED;
    return this.noneMatch !== undefined && isIn(this.noneMatch) ? EXCLUDED : undefined;
  }
}
