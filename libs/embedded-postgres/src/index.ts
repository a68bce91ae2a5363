export { type Cluster, openCluster, recordCluster } from './cluster.js';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres, stopEmbeddedPostgres } from './embedded-postgres.js';
export { launchServer } from './launch.js';
export { findServer, stopServer } from './server-process.js';
export { removeEmbeddedPostgres, startTemporaryPostgres, temporaryRoot } from './temporary-postgres.js';
export { explainUnwritable } from './unwritable.js';
export { withClient } from './with-client.js';
