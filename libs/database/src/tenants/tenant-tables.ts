import pg from 'pg';
import { MIGRATION_LOCK } from '../migrate/migrate.js';

/** What a service says about a tenant that leaves or arrives. In every statement, $1 is the tenant. */
export interface TenantRules {
  /** Statements that end what others get of the tenant, and what is sent for it. They run first, in one transaction. */
  readonly leave: readonly string[];
  /**
   * Rows that stay for a while, as conditions of a row `t` by table: they have ids and times only, and tell those who follow a feed what has
   * ended.
   */
  readonly kept: Readonly<Record<string, string>>;
  /** Statements before the rows arrive, in the transaction of all of them. They may be its first writes. */
  readonly beforeArrival: readonly string[];
  /** What stands in a column instead of the exported value, as SQL. */
  readonly replaced: Readonly<Record<string, string>>;
  /** Tables that are exported, but not imported. */
  readonly leftBehind: readonly string[];
  /** Statements after the rows have arrived, in the same transaction: they show others what has arrived. */
  readonly afterArrival: readonly string[];
  /** Statements once the transaction has been committed; should the command be killed before, a service does the same. */
  readonly afterCommit: readonly string[];
}

/** A table whose rows belong to tenants. */
export interface TenantTable {
  readonly name: string;
  /** All but those that PostgreSQL computes. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/** A fault of what the operator asked for: a line for each offender. */
export class TenantFault extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

/** Columns of a catalogue's row, in order, as a list of names. */
const names = (attributes: string, columns: string): string =>
  `array(select a.attname::text from pg_attribute a ${attributes} and a.attnum > 0 and not a.attisdropped order by ${columns})`;

const TABLES = `
  select c.relname::text as name, pg_has_role(c.relowner, 'usage') as owned,
    ${names(`where a.attrelid = c.oid and a.attgenerated = ''`, 'a.attnum')} as columns,
    ${names('join pg_index i on i.indrelid = a.attrelid and a.attnum = any(i.indkey) where i.indrelid = c.oid and i.indisprimary', 'array_position(i.indkey::int2[], a.attnum)')} as key,
    array(select f.confrelid::regclass::text from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped)
  order by c.relname`;

/**
 * All tables with a column `tenant`, from the catalogue, so that none is forgotten: those that others refer to come first.
 *
 * @throws TenantFault if the role does not own them, or they are distributed
 */
export async function tenantTables(client: pg.Client): Promise<TenantTable[]> {
  const { rows: citus } = await client.query(`select 1 from pg_extension where extname = 'citus'`);
  if (citus.length > 0)
    throw new TenantFault(['the tables are distributed by Citus, where rows of several servers have no snapshot in common: not supported']);
  const { rows } = await client.query<TenantTable & { owned: boolean; parents: string[] }>(TABLES);
  if (rows.length === 0) throw new TenantFault(['the database has no tables of tenants: migrate it first']);
  const foreign = rows.filter(({ owned }) => !owned).map(({ name }) => name);
  if (foreign.length > 0) throw new TenantFault([`use the role that migrates the database: another one owns ${foreign.join(', ')}`]);
  const sorted: (typeof rows)[number][] = [];
  while (sorted.length < rows.length) {
    const next = rows.filter((row) => !sorted.includes(row) && row.parents.every((parent) => sorted.some(({ name }) => name === parent)));
    if (next.length === 0) throw new Error('tables of tenants refer to each other, or to a table without tenants');
    sorted.push(...next);
  }
  return sorted;
}

/** Names of the migrations that have run: they say what the schema is. */
export async function schemaOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select m.name from migrations m order by m.name');
  return rows.map(({ name }) => name);
}

/** How many rows of a tenant each table has, without the tables that have none. */
export async function countRows(client: pg.Client, tables: readonly TenantTable[], tenant: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${quoted(name)} t where t.tenant = $1`, [tenant]);
    if (rows[0]!.count !== '0') counts.set(name, Number(rows[0]!.count));
  }
  return counts;
}

export const quoted = (name: string): string => pg.escapeIdentifier(name);

/** Runs `work` in one transaction, which a migration waits for, without limits of time. */
export async function inOneTransaction<T>(client: pg.Client, mode: string, work: () => Promise<T>): Promise<T> {
  await client.query(`begin ${mode}`);
  try {
    // A float has all its digits whatever the role has set.
    await client.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
      set local timezone = 'UTC'; set local extra_float_digits = 3`);
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [MIGRATION_LOCK]);
    if (!rows[0]!.taken) throw new TenantFault(['another process is migrating this database, or moves a tenant']);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
