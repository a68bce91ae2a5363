export { recordCluster } from './server/cluster.js';
export { createDatabaseStatement } from './create-database.js';
export { type EmbeddedPostgres, startEmbeddedPostgres, stopEmbeddedPostgres } from './embedded-postgres.js';
export { type EmbeddedPostgresOptions } from './options.js';
export { findServer } from './server/server-process.js';
export { removeEmbeddedPostgres, startTemporaryPostgres, temporaryRoot } from './temporary-postgres.js';
export { withClient } from './with-client.js';
