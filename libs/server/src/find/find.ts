import { bound, type Database, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import { TextField } from '@fibre/dto';
import { ApiProperty } from '@nestjs/swagger';
import { MAX, NIL } from 'uuid';

const [MIN_TEXT, MAX_TEXT] = [2, 255];
/** Maximum number of records in a response. */
const MOST = 10;
/** Number of characters with which the search for an id begins. */
const MIN_ID = 8;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** How many rows are read to find that many different records: several events may repeat a text of the same entity. */
const MOST_ROWS = 1_000;

export class FindQuery {
  @TextField(MIN_TEXT, MAX_TEXT, {
    description: `What the text begins with, whatever the case of its ASCII letters; or the first ${MIN_ID} characters of an id, or more.`,
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

    @ApiProperty({ type: String, enum: [...fields], description: 'The field that begins with the text.' })
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
  /** The table, and the condition that a row is the tenant's. */
  readonly from: Sql;
}

type Row = Found & { readonly is_exact: boolean };

/** Finds up to {@link MOST} records, exact matches first, otherwise in the order of the places. */
export async function findRecords(database: Database, { q }: FindQuery, places: readonly FindPlace[]): Promise<Found[]> {
  const text = q.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const ids = [NIL, MAX].map((id) => text + id.slice(text.length));
  const isId = text.length >= MIN_ID && ids.every((id) => UUID.test(id));
  const rows: Row[] = [];
  // One statement at a time, so that a request uses only one connection.
  for (const place of places) {
    if (place.text) rows.push(...(await database.run<Row>(selectByText(place, place.text, text))));
    else if (isId) rows.push(...(await database.run<Row>(selectById(place, ids))));
  }
  const sorted = [true, false].flatMap((isExact) => rows.filter(({ is_exact }) => is_exact === isExact));
  // Of several matches of a record, the first one counts.
  const found = sorted.filter((row, index) => sorted.findIndex(({ kind, id }) => kind === row.kind && id === row.id) === index);
  return found.slice(0, MOST).map(({ kind, id, label, matched }) => ({ kind, id, label, matched }));
}

/**
 * In the collation "C", the texts that begin with a text follow it directly, so they are a range of an index. The range ends with the
 * highest character, repeated until it is longer than any text. The collation also restricts `lower` to ASCII letters.
 */
export function selectByText({ name, matched, kind, id, label, from }: FindPlace, field: Sql, text: string): Statement {
  const folded = sql`lower(${field} collate "C")`;
  const begin = bound(text);
  return statement(name)`
    select min(f.kind) as kind, f.id, min(f.label) as label, '${raw(matched)}' as matched, f.folded = ${begin} as is_exact
    from (
      select ${kind} as kind, ${id} as id, ${label} as label, ${folded} as folded
      from ${from} and ${field} is not null and ${folded} >= ${begin} and ${folded} < ${text + '\u{10ffff}'.repeat(MAX_TEXT)}
      order by ${folded}, ${id} limit ${raw(MOST_ROWS)}
    ) f
    group by f.folded, f.id
    order by f.folded, f.id limit ${raw(MOST)}`;
}

export const selectById = ({ name, matched, kind, id, label, from }: FindPlace, [least, greatest]: readonly string[]): Statement =>
  statement(name)`
    select ${kind} as kind, ${id} as id, ${label} as label, '${raw(matched)}' as matched, ${least === greatest}::boolean as is_exact
    from ${from} and ${id} between ${least} and ${greatest}
    order by ${id} limit ${raw(MOST)}`;
