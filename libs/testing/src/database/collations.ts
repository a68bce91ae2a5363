import { withClient } from '@fibre/embedded-postgres';

/**
 * The columns, and the columns of indexes, whose texts are compared by another collation than `C`, as `table.column`. A library of the
 * database's server, ICU or libc, then decides what is found and unique, and a release of it can change that.
 */
export const otherCollations = (databaseUrl: string): Promise<string[]> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(`
      select format('%s.%s', c.relname, a.attname) as name
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'i', 'I') and a.attnum > 0 and not a.attisdropped
        and a.attcollation not in (0, '"C"'::regcollation)
        -- TypeORM's own table
        and c.relname <> 'migrations'
      order by name`);
    return rows.map(({ name }) => name);
  });
