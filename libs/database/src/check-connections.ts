import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { PostgresOptions } from './data-source.js';
import { isTransactionPooled, passesNamesOn } from './transaction-pooler.js';

/** What bounds every statement on the server. We ask for it when we connect, and a pooler may be told to ignore that. */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/**
 * Finds out at the start what a pooler makes of our connections. A limit that is missing is a warning, for the service works
 * and each request still has its deadline.
 *
 * @throws Error when named statements could run as others, so that nothing wrong is ever written
 */
export async function checkConnections(dataSource: DataSource, namedStatements: boolean): Promise<void> {
  const missing = await dataSource.query<{ name: string }[]>(
    `select s.name from pg_settings s where s.name = any($1) and s.setting = '0' order by s.name`,
    [LIMITS],
  );
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    new Logger('Database').warn(`not in force on the database connections: ${names}. Behind a pooler, set them on the database role`);
  }
  const options = dataSource.options as PostgresOptions;
  if (namedStatements && (await isTransactionPooled(options)) && (await passesNamesOn(options))) {
    throw new Error(
      'the pooler before the database does not carry prepared statements: ' +
        'set DATABASE_NAMED_STATEMENTS=false, or max_prepared_statements in PgBouncer 1.21 or newer',
    );
  }
}
