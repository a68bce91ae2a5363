import pg from 'pg';
import { isConnectionRejected, isDatabaseUnavailable } from '@fibre/database';
import { breaksConnection } from '../../src/connection/database-errors.js';

/** An error as PgBouncer sends it. */
const said = (message: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: '08P01', severity: 'FATAL' });

test.each([
  'server conn crashed?',
  'query_wait_timeout',
  'query_timeout',
  'client_login_timeout (server down)',
  'pgbouncer cannot connect to server',
  'server login has been failing, try again later (server_login_retry)',
  'server login has been failing, cached error: password authentication failed for user "coverage_serve" (server_login_retry)',
  'no more connections allowed (max_client_conn)',
  'client connections exceeded (max_db_client_connections)',
  'pooler is shutting down',
  'sorry, too many clients already',
  'unsupported startup parameter: statement_timeout',
  'no such user: coverage_serve',
])('PgBouncer: "%s" means unavailable', (message) => {
  const error = said(message);
  expect([isDatabaseUnavailable(error), isConnectionRejected(error), breaksConnection(error)]).toEqual([true, false, true]);
});
