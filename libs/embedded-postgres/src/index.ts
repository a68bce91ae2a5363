export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres, stopEmbeddedPostgres } from './embedded-postgres.js';
export { removeEmbeddedPostgres, startTemporaryPostgres } from './temporary-postgres.js';
export { explainUnwritable } from './unwritable.js';
export { withClient } from './with-client.js';
