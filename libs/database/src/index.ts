export { type ComparedTable, compareTables } from './compare/compare-tables.js';
export { createDataSource, dataSourceOptions, type DataSourceSettings, type PostgresOptions } from './connection/data-source.js';
export {
  cancellation,
  DEADLOCK_DETECTED,
  isCheckViolation,
  isConnectionRejected,
  isDatabaseUnavailable,
  isLockTimeout,
  isOutcomeUnknown,
  isTimeout,
  isUniqueViolation,
  SERIALIZATION_FAILURE,
  sqlState,
  UNIQUE_VIOLATION,
} from './connection/database-errors.js';
export { type Budget, Deadline, withinDeadline, WorkCancelled } from './connection/deadline.js';
export { Database, type DatabaseOptions } from './database.js';
export { briefWait } from './statements/lock-turns.js';
export { DatabaseModule, type DatabaseSettings } from './database.module.js';
export { Limit, Share } from './limits/limit.js';
export { LimitReached, type LimitRefusal } from './limits/limit-reached.js';
export { Limits } from './limits/limits.js';
export { migrate, type MigrateOptions } from './migrate/migrate.js';
export { repeatableMigration } from './migrate/repeatable-migration.js';
export { sqlMigration } from './migrate/sql-migration.js';
export { openDataSource } from './open-data-source.js';
export { type JsonMember, jsonObjectText, timestampText } from './pages/json-text.sql.js';
export {
  type CountedListing,
  countListing,
  estimateListing,
  type Listing,
  MAX_EXACT_TOTAL,
  MAX_PAGE_BYTES,
  pageBy,
  type PagePlace,
  type RecordsPlace,
  selectPage,
} from './pages/page.sql.js';
export { type Count, countRecords, estimateRecords, type PageOfRecords, readFrom, readListing } from './pages/read-page.js';
export { readRecords, type Records } from './pages/read-records.js';
export type { ReadReplica } from './replica/read-replica.js';
export type { BulkConnection } from './statements/bulk.js';
export { ContentionError, MAX_TRANSACTION_ATTEMPTS, preparedName, retryOnConflict } from './statements/send.js';
export { bound, given, join, raw, type Run, type Sql, sql, type Statement, statement } from './statements/sql.js';
export { type Erasure, eraseTenant } from './tenants/erase-tenant.js';
export { exportTenant } from './tenants/export-tenant.js';
export { importTenant } from './tenants/import-tenant.js';
export { type Manifest } from './tenants/tenant-files.js';
export { TenantFault, type TenantRules } from './tenants/tenant-tables.js';
export type { TransactionOptions } from './statements/transact.js';
