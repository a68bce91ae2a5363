import pg from 'pg';
import { countRows, inOneTransaction, quoted, type TenantRules, tenantTables } from './tenant-tables.js';

/** Rows per statement, each a transaction of its own: short, so that nobody waits. */
const ERASED_AT_ONCE = 5_000;

/** What an erasure has done. */
export interface Erasure {
  /** Rows that this run has deleted, by table. */
  readonly erased: ReadonlyMap<string, number>;
  /** Rows that have to stay for a while, by table. */
  readonly kept: ReadonlyMap<string, number>;
}

/**
 * Deletes all rows of a tenant. First, in one transaction, it ends what others get of the tenant. It can be killed at any moment and run
 * again.
 *
 * @param andKept deletes the kept rows too: those who follow a feed are then not told what has ended
 */
export async function eraseTenant(client: pg.Client, tenant: string, rules: TenantRules, andKept: boolean): Promise<Erasure> {
  const tables = await inOneTransaction(client, '', async () => {
    const found = await tenantTables(client);
    for (const statement of rules.leave) await client.query(statement, [tenant]);
    return found.reverse();
  });
  // Before a row is deleted to which others may refer, PostgreSQL looks for them. Planned for this tenant, which has hardly any left, an index
  // in which it passes all that are gone looks as good as the one that leads to them. Planned for any tenant, it does not.
  await client.query('set plan_cache_mode = force_generic_plan');
  // Our own statements name the tenant, and so are planned for it: to find few rows among many, they need the index.
  const named = pg.escapeLiteral(tenant);
  const erased = new Map<string, number>();
  // A trigger may write rows of one table when those of another are deleted, and a service may still write for a client of the tenant.
  for (let before = -1; before !== sumOf(erased);) {
    before = sumOf(erased);
    for (const { name } of tables) {
      const kept = andKept ? undefined : rules.kept[name];
      const some = `select t.ctid from ${quoted(name)} t where t.tenant = ${named} ${kept ? `and (${kept}) is not true` : ''} limit ${ERASED_AT_ONCE}`;
      const statement = `delete from ${quoted(name)} d where d.ctid = any(array(${some})) and d.tenant = ${named}`;
      let gone = 0;
      for (let rows = ERASED_AT_ONCE; rows === ERASED_AT_ONCE;) {
        rows = (await client.query(statement)).rowCount!;
        gone += rows;
      }
      if (gone > 0) erased.set(name, (erased.get(name) ?? 0) + gone);
      // If the tenant was the only one, both plans look alike: what is gone has to go, also what an earlier attempt has deleted. `truncate`
      // would take a lock.
      await client.query(`vacuum (analyze, truncate false) ${quoted(name)}`);
    }
  }
  return { erased, kept: await countRows(client, tables, tenant) };
}

const sumOf = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
