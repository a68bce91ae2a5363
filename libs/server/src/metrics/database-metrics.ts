import type { Database } from '@fibre/database';
import type { Pool } from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import { gauge, readings } from './metrics.js';

/** Usage of the connection pools, `primary` and `replica`, and state of the read replica if there is one; read at each scrape. */
export function databaseMetrics(database: Database, registry: Registry): void {
  const ofPools = (name: string, help: string, pick: (pool: Pool) => number) =>
    readings(Gauge, registry, [name, help], ['pool'], () => [...database.pools()].map(([name, pool]) => [{ pool: name }, pick(pool)]));
  ofPools('db_pool_used_connections', 'Database connections in use', ({ totalCount, idleCount }) => totalCount - idleCount);
  ofPools('db_pool_idle_connections', 'Idle database connections', ({ idleCount }) => idleCount);
  ofPools('db_pool_max_connections', 'Maximum number of database connections of this process', ({ options }) => options.max);
  ofPools('db_pool_waiting_requests', 'Requests waiting for a database connection', ({ waitingCount }) => waitingCount);
  const { replica } = database;
  if (!replica) return;
  gauge(registry, 'db_replica_in_use', '1 while searches use the read replica, 0 while they use the primary', () =>
    Number(replica.isInUse),
  );
  const lag = "Upper bound of the read replica's lag behind the primary";
  gauge(registry, 'db_replica_lag_seconds', lag, () => replica.lagMs / 1_000);
  readings(Counter, registry, ['db_replica_reads_total', 'Searches by server'], ['pool'], () =>
    Object.entries(replica.reads).map(([pool, count]) => [{ pool }, count]),
  );
}
