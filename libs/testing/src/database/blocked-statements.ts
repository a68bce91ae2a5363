import { withClient } from '@fibre/embedded-postgres';

/**
 * @param text a pattern of `like` for the text of the statements
 * @returns how many statements in the database wait for a lock now. Each call connects anew, because a transaction sees no newer sessions
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
