export { buildIndexes } from './build-indexes.js';
export { type BulkConnection, TooMuchBulkWork } from './bulk.js';
export { ContentionError } from './contention-error.js';
export { createDataSource, dataSourceOptions, type DataSourceSettings, type PostgresOptions } from './data-source.js';
export { Deadline, type EndOfWork, withinDeadline, WorkCancelled } from './deadline.js';
export {
  cancellation,
  DEADLOCK_DETECTED,
  isConnectionRejected,
  isDatabaseUnavailable,
  isTimeout,
  isUniqueViolation,
  SERIALIZATION_FAILURE,
  sqlState,
  UNIQUE_VIOLATION,
} from './database-errors.js';
export { Database, type DatabaseOptions, MAX_TRANSACTION_ATTEMPTS, type PoolState, type TransactionOptions } from './database.js';
export { DatabaseModule, type DatabaseModuleOptions, type DatabaseSettings } from './database.module.js';
export { changeSchema, migrate, type MigrateOptions } from './migrate.js';
export { repeatableMigration, type RepeatableText } from './migrate/repeatable-migration.js';
export { type OpenOptions, openDataSource } from './open-data-source.js';
export { type Run, type Statement, statementOf } from './statement.js';
export { type JsonMember, jsonObjectText, timestampText } from './json-text.sql.js';
export {
  countListing,
  estimateListing,
  type Listing,
  MAX_EXACT_TOTAL,
  MAX_PAGE_BYTES,
  MIN_EXACT_TOTAL,
  type RecordsPlace,
  selectPage,
} from './page.sql.js';
export { countRecords, estimateRecords, readListing } from './read-page.js';
export type { ReplicaReads, ReplicaState } from './read-replica.js';
