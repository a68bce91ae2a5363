import {
  type FindOptionsOrder,
  type FindOptionsWhere,
  LessThanOrEqual,
  MoreThanOrEqual,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { bound, join, raw, type Sql } from '../statements/sql.js';
import { MAX_PAGE_BYTES } from './page.sql.js';
import { countRecords, inTurnIfLarge, type PageById, type PlaceById, type Runner } from './read-page.js';

/** A listing of plain records that TypeORM reads. */
export interface Records<Entity extends ObjectLiteral> {
  readonly repository: Repository<Entity>;
  /** Prefix of the names of its count statements. */
  readonly label: string;
  /** A condition, or several of which one must hold; with none of them, the listing is empty. */
  readonly where: FindOptionsWhere<Entity> | readonly FindOptionsWhere<Entity>[];
  /** The column that orders the records: a UUID, unique within `where`. */
  readonly key: keyof Entity & string;
  readonly toResponse: (record: Entity) => object;
}

/** Reads one page, with at most {@link MAX_PAGE_BYTES} unless a single record is larger. */
export async function readRecords<Entity extends ObjectLiteral>(
  database: Runner,
  { repository, label, where, key, toResponse }: Records<Entity>,
  { size, from, order = 'asc' }: PlaceById,
): Promise<PageById> {
  const conditions = [where].flat() as FindOptionsWhere<Entity>[];
  // TypeORM would take an empty list for no condition.
  if (conditions.length === 0) return { json: [], total: 0 };
  const onwards = order === 'asc' ? MoreThanOrEqual : LessThanOrEqual;
  const records = await inTurnIfLarge(database, size, () =>
    repository.find({
      where: conditions.map((one) => (from === undefined ? one : { ...one, [key]: onwards(from) })),
      order: { [key]: order } as FindOptionsOrder<Entity>,
      take: size + 1,
    }),
  );
  const json: string[] = [];
  let bytes = 0;
  for (const record of records.slice(0, size)) {
    const text = JSON.stringify(toResponse(record));
    bytes += Buffer.byteLength(text) + 1;
    if (json.length > 0 && bytes >= MAX_PAGE_BYTES) break;
    json.push(text);
  }
  const nextId = records[json.length]?.[key] as string | undefined;
  if (from !== undefined) return { json, nextId };
  if (nextId === undefined) return { json, nextId, total: json.length };
  const [text, values] = repository.createQueryBuilder('record').select('1').where(conditions).getQueryAndParameters();
  return { json, nextId, total: (await countRecords(database, { label, rows: numbered(text, values as unknown[]) })).count };
}

/** SQL whose values TypeORM has numbered. */
function numbered(text: string, values: readonly unknown[]): Sql {
  const places = values.map(bound);
  return join(
    text.split(/\$(\d+)/).map((piece, index) => (index % 2 === 0 ? raw(piece) : places[Number(piece) - 1])),
    '',
  );
}
