/** Options of `startEmbeddedPostgres`. */
export interface EmbeddedPostgresOptions {
  /** Directory of this server; created if absent. Removing it while no server is running removes the data. */
  root: string;
  /** Database to create if it does not exist. */
  database: string;
  /** Server settings (`postgresql.conf` names). */
  settings?: Record<string, string | number | boolean>;
  /** If absent, a free port is used. */
  port?: number;
}
