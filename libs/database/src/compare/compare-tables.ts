import type pg from 'pg';

/** What the comparison of a table found. */
export interface ComparedTable {
  readonly name: string;
  /** Rows that are the same in both databases. */
  readonly same: number;
  /** Rows that the original has written, changed or deleted since the end of the copy. */
  readonly since: { readonly written: number; readonly changed: number; readonly deleted: number };
  /** A sentence for each row that the copy lacks, or has otherwise than it was. */
  readonly differences: readonly string[];
}

/** Rows are compared by digests of so many parts, and one by one only in parts that differ. */
const PARTS = 1 << 16;
/** Sentences about one table. */
const MOST_DIFFERENCES = 20;

/** Values as text must not depend on a role's settings. */
const AS_TEXT = `set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local bytea_output = 'hex';
  set local extra_float_digits = 3; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

const TABLES = `
  select c.oid::regclass::text as name,
    array(select quote_ident(a.attname) from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)) as key
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' order by c.relname`;

interface Row {
  readonly key: string;
  readonly digest: string;
  /** The transaction that has written it, as 64 bits. */
  readonly written_by: string;
}

/** A database as of one instant. */
class Snapshot {
  private constructor(
    readonly client: pg.Client,
    /** The id of the next transaction: all rows were written by earlier ones. */
    readonly end: bigint,
    /** A server and its physical copies have the same. */
    readonly server: string,
  ) {}

  static async of(client: pg.Client): Promise<Snapshot> {
    await client.query('begin isolation level repeatable read read only');
    await client.query(AS_TEXT);
    const { rows } = await client.query<{ end: string; server: string }>(
      'select pg_snapshot_xmax(pg_current_snapshot())::text as "end", s.system_identifier::text as server from pg_control_system() s',
    );
    return new Snapshot(client, BigInt(rows[0]!.end), rows[0]!.server);
  }

  /** A row has 32 bits of its transaction's id. */
  get writtenBy(): string {
    return `(${this.end} - ((${this.end} - t.xmin::text::bigint) & 4294967295))`;
  }

  async tables(): Promise<Map<string, string[]>> {
    const { rows } = await this.client.query<{ name: string; key: string[] }>(TABLES);
    return new Map(rows.map(({ name, key }) => [name, key]));
  }

  /** The number of rows and a digest of each part. @param before leaves out what later transactions have written */
  async parts(table: string, key: string, before: bigint): Promise<Map<number, { count: number; digest: string }>> {
    const { rows } = await this.client.query<{ part: number; count: string; digest: string }>(
      `select ${partOf(key)} as part, count(*) as count, sum(${DIGEST})::text as digest from ${table} t where ${this.writtenBy} < ${before} group by 1`,
    );
    return new Map(rows.map(({ part, count, digest }) => [part, { count: Number(count), digest }]));
  }

  async count(table: string): Promise<number> {
    const { rows } = await this.client.query<{ count: string }>(`select count(*) as count from ${table}`);
    return Number(rows[0]!.count);
  }

  async rows(table: string, key: string, parts: readonly number[]): Promise<Map<string, Row>> {
    const { rows } = await this.client.query<Row>(
      `select ${key} as key, ${DIGEST}::text as digest, ${this.writtenBy}::text as written_by from ${table} t where ${partOf(key)} = any($1)`,
      [parts],
    );
    return new Map(rows.map((row) => [row.key, row]));
  }

  /** Those of the transactions that are committed here. Of those that ended long ago nothing is known but that their rows are here. */
  async committed(transactions: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.client.query<{ id: string }>(
      `select x.id::text as id from unnest($1::xid8[]) x (id) where coalesce(pg_xact_status(x.id), 'committed') = 'committed'`,
      [transactions],
    );
    return new Set(rows.map(({ id }) => id));
  }
}

const DIGEST = 'hashtextextended(t::text, 0)';
const partOf = (key: string): string => `(hashtextextended(${key}, 0) & ${PARTS - 1})::int`;

/** What the comparison of a database with its copy found. */
export interface ComparedDatabase {
  readonly tables: readonly ComparedTable[];
  readonly differences: readonly string[];
  /**
   * Rows of the original that the copy has too.
   *
   * @param select returns the rows; gets an expression for the transaction that has written a row `t`, which it must return as `written_by`
   */
  pick<R extends { written_by: string }>(select: (writtenBy: string) => string): Promise<R[]>;
}

/**
 * Compares all tables of a database with a physical copy of an earlier state. A row has the id of the transaction that has written it, and
 * the copy knows which transactions it has: what others have changed since in the original is no difference.
 *
 * Both connections must be able to read everything. Both are left in a transaction, so that `pick` reads the same state.
 */
export async function compareTables(original: pg.Client, copy: pg.Client): Promise<ComparedDatabase> {
  const [now, then] = [await Snapshot.of(original), await Snapshot.of(copy)];
  if (now.server !== then.server)
    throw new Error(`this is no copy of the database: its server has the system identifier ${then.server} instead of ${now.server}`);
  // Should somebody have written to the copy, its last transactions are not those of the original.
  const end = now.end < then.end ? now.end : then.end;
  const [there, here] = [await now.tables(), await then.tables()];
  const names = [...new Set([...there.keys(), ...here.keys()])];
  const apart = names.filter((name) => there.get(name)?.join() !== here.get(name)?.join());
  const tables: ComparedTable[] = [];
  for (const [name, columns] of here) {
    if (apart.includes(name)) continue;
    tables.push(await compareTable(now, then, end, name, `row(${columns.map((column) => `t.${column}`).join(', ')})::text`));
  }
  const missing = apart.map(
    (name) => `table ${name}: only ${here.has(name) ? 'the restored copy' : 'the live database'} has it with this key`,
  );
  return {
    tables,
    differences: [...missing, ...tables.flatMap((table) => table.differences)],
    async pick<R extends { written_by: string }>(select: (writtenBy: string) => string): Promise<R[]> {
      const { rows } = await original.query<R>(select(now.writtenBy));
      const older = rows.filter(({ written_by }) => BigInt(written_by) < end);
      const committed = await then.committed(older.map(({ written_by }) => written_by));
      return older.filter(({ written_by }) => committed.has(written_by));
    },
  };
}

async function compareTable(now: Snapshot, then: Snapshot, end: bigint, name: string, key: string): Promise<ComparedTable> {
  const [original, copy] = await Promise.all([now.parts(name, key, end), then.parts(name, key, end)]);
  const all = [...new Set([...original.keys(), ...copy.keys()])];
  const apart = all.filter((part) => {
    const [a, b] = [original.get(part), copy.get(part)];
    return a?.count !== b?.count || a?.digest !== b?.digest;
  });
  const isApart = new Set(apart);
  const same = [...copy].reduce((sum, [part, { count }]) => sum + (isApart.has(part) ? 0 : count), 0);
  const older = [...original.values()].reduce((sum, { count }) => sum + count, 0);
  const written = (await now.count(name)) - older;
  const found = apart.length === 0 ? NOTHING : await compareRows(now, then, end, name, key, apart);
  const since = { written: Math.max(0, written - found.rewritten) + found.late, changed: found.changed, deleted: found.deleted };
  const more = found.differences.length - MOST_DIFFERENCES;
  const said = found.differences.slice(0, MOST_DIFFERENCES);
  return { name, same: same + found.same, since, differences: more > 0 ? [...said, `${name}: and ${more} more rows`] : said };
}

const NOTHING = { same: 0, changed: 0, deleted: 0, rewritten: 0, late: 0, differences: [] as string[] };

/** Compares the rows of the parts one by one. */
async function compareRows(
  now: Snapshot,
  then: Snapshot,
  end: bigint,
  name: string,
  key: string,
  parts: readonly number[],
): Promise<typeof NOTHING> {
  const [original, copy] = await Promise.all([now.rows(name, key, parts), then.rows(name, key, parts)]);
  const found = { ...NOTHING, differences: [] as string[] };
  const doubtful = [...original.values()].filter((row) => BigInt(row.written_by) < end && copy.get(row.key)?.digest !== row.digest);
  // A transaction that was open at the end of the copy never ended there.
  const committed = await then.committed([...new Set(doubtful.map(({ written_by }) => written_by))]);
  for (const row of original.values()) {
    const copied = copy.get(row.key);
    const isLater = BigInt(row.written_by) >= end;
    if (copied?.digest === row.digest) found.same++;
    else if (!isLater && committed.has(row.written_by))
      found.differences.push(`${name} ${row.key} ${copied ? 'differs' : 'is missing'} in the restored copy`);
    else if (copied) {
      found.changed++;
      if (isLater) found.rewritten++;
    } else if (!isLater) found.late++;
  }
  for (const { key } of copy.values()) if (!original.has(key)) found.deleted++;
  return found;
}
