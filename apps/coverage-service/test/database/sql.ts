import { withClient } from '@fibre/embedded-postgres';
import { blockedStatements, until } from '@fibre/testing';
import type pg from 'pg';

/** Runs one statement on a separate connection, for what a request cannot do. */
export const sql = <Row extends pg.QueryResultRow>(databaseUrl: string, text: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(databaseUrl, async (client) => (await client.query<Row>(text, values)).rows);

/** Waits until this many statements are waiting for a lock. */
export const untilBlocked = (databaseUrl: string, count: number): Promise<unknown> =>
  until(`${count} statements that wait for a lock`, async () => (await blockedStatements(databaseUrl)) >= count);
