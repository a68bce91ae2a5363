import { bound, type Database, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import { TextField } from '@fibre/dto';
import { ApiProperty } from '@nestjs/swagger';
import { MAX, NIL } from 'uuid';

const [MIN_TEXT, MAX_TEXT] = [2, 255];
/** Maximum number of records in a response. */
export const MOST_FOUND = 10;
/** An id is found by at least so many of its first characters: the first eight of a UUIDv7 only tell the minute. */
const MIN_BEGIN = 18;
/** An id is found by so many of its last characters, which are random. */
const END = /^[\da-f]{8,12}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** How many rows are read to find that many different records: several events may repeat a text of the same entity. */
const MOST_ROWS = 1_000;

export class FindQuery {
  @TextField(MIN_TEXT, MAX_TEXT, {
    description: `What the text begins with, or a word of a name, whatever the case of ASCII letters; or the last 8 to 12 characters of an id, or its first ${MIN_BEGIN} or more.`,
    example: 'donau',
  })
  q!: string;
}

/** The documented type of a found record. */
export function foundResponse(kinds: readonly string[], fields: readonly string[], label: string) {
  class FoundResponse {
    @ApiProperty({ type: String, enum: [...kinds], description: 'What kind of record it is.' })
    kind!: string;

    @ApiProperty({ type: String, format: 'uuid', description: 'Its id.' })
    id!: string;

    @ApiProperty({ type: String, description: label })
    label!: string;

    @ApiProperty({ type: String, enum: [...fields], description: 'The field that matches.' })
    matched!: string;
  }
  return FoundResponse;
}
/** A found record. */
export type Found = InstanceType<ReturnType<typeof foundResponse>>;

/** Where records are searched: one field of a table. Each member but the first two is SQL. */
export interface FindPlace {
  /** Name of its statement. */
  readonly name: string;
  readonly matched: string;
  readonly kind: Sql;
  readonly id: Sql;
  /** What a response shows of the record. */
  readonly label: Sql;
  /** The text to search; if absent, the id is searched. */
  readonly text?: Sql;
  /** Whether the text is a name, in which every word is searched. A tenant has few names, so that all of them are read. */
  readonly hasWords?: boolean;
  /** The statement that searches it, if it is searched otherwise. It selects a `kind`, `id`, `label`, `matched` and `is_exact`. */
  readonly select?: (text: string) => Statement;
  /** The table, and the condition that a row is the tenant's. */
  readonly from: Sql;
}

type Row = Found & { readonly is_exact: boolean };

/** Finds up to {@link MOST_FOUND} records, exact matches first, otherwise in the order of the places. */
export async function findRecords(database: Database, { q }: FindQuery, places: readonly FindPlace[]): Promise<Found[]> {
  const text = q.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const rows: Row[] = [];
  // One statement at a time, so that a request uses only one connection.
  for (const place of places) {
    const statement = place.select?.(text) ?? statementFor(place, text);
    if (statement) rows.push(...(await database.run<Row>(statement)));
  }
  const sorted = [true, false].flatMap((isExact) => rows.filter(({ is_exact }) => is_exact === isExact));
  // Of several matches of a record, the first one counts.
  const found = sorted.filter((row, index) => sorted.findIndex(({ kind, id }) => kind === row.kind && id === row.id) === index);
  return found.slice(0, MOST_FOUND).map(({ kind, id, label, matched }) => ({ kind, id, label, matched }));
}

const statementFor = (place: FindPlace, text: string): Statement | undefined =>
  place.text ? selectByText(place, place.text, text) : selectById(place, text);

/**
 * In the collation "C", the texts that begin with a text follow it directly, so they are a range of an index. The range ends with the
 * highest character, repeated until it is longer than any text. The collation also restricts `lower` to ASCII letters.
 */
export function selectByText({ name, matched, kind, id, label, hasWords, from }: FindPlace, field: Sql, text: string): Statement {
  const folded = sql`lower(${field} collate "C")`;
  const begin = bound(text);
  const matches = hasWords
    ? sql`strpos(${inWords(folded)}, ${inWords(sql`${begin}::text`)}) > 0`
    : sql`${folded} >= ${begin} and ${folded} < ${text + '\u{10ffff}'.repeat(MAX_TEXT)}`;
  const order = hasWords ? sql`not starts_with(f.folded, ${begin}), f.folded` : sql`f.folded`;
  return statement(name)`
    select min(f.kind) as kind, f.id, min(f.label) as label, '${raw(matched)}' as matched, f.folded = ${begin} as is_exact
    from (
      select ${kind} as kind, ${id} as id, ${label} as label, ${folded} as folded
      from ${from} and ${field} is not null and ${matches}
      order by ${folded}, ${id} limit ${raw(MOST_ROWS)}
    ) f
    group by f.folded, f.id
    order by ${order}, f.id limit ${raw(MOST_FOUND)}`;
}

/** A name with a space before each of its words. */
const inWords = (name: Sql): Sql => sql`' ' || translate(${name}, '-/&.,:;()+_', '           ')`;

/** Undefined if the text is neither the beginning nor the end of an id. */
export function selectById({ name, matched, kind, id, label, from }: FindPlace, text: string): Statement | undefined {
  const [least, greatest] = [NIL, MAX].map((other) => text + other.slice(text.length)) as [string, string];
  const isBegin = text.length >= MIN_BEGIN && UUID.test(least) && UUID.test(greatest);
  if (!isBegin && !END.test(text)) return undefined;
  const matches = isBegin
    ? sql`${id} between ${least} and ${greatest}`
    : sql`right(${id}::text collate "C", 8) = ${text.slice(-8)} and right(${id}::text, ${text.length}::int) = ${text}`;
  return statement(`${name}-${isBegin ? 'begin' : 'end'}`)`
    select ${kind} as kind, ${id} as id, ${label} as label, '${raw(matched)}' as matched, ${text.length === NIL.length}::boolean as is_exact
    from ${from} and ${matches}
    order by ${id} limit ${raw(MOST_FOUND)}`;
}
