import { withClient } from '@fibre/embedded-postgres';

/**
 * How many statements in the database wait for a lock now. It has its own connection, because an open transaction does not see the
 * sessions that began after it.
 *
 * @param text counts only statements with such a text, a pattern of `like`
 */
export const blockedStatements = (databaseUrl: string, text = '%'): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [text],
    );
    return rows[0]!.count;
  });
