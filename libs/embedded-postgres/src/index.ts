export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres, stopEmbeddedPostgres } from './embedded-postgres.js';
