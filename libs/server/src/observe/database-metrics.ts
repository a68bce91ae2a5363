import { Database, type PoolState } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { gauge } from './gauge.js';

/** Usage of the connection pools, `primary` and `replica`, and state of the read replica if there is one; read at each scrape. */
@Injectable()
export class DatabaseMetrics {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
  ) {
    this.ofPools('db_pool_used_connections', 'Database connections in use', ({ used }) => used);
    this.ofPools('db_pool_idle_connections', 'Idle database connections', ({ idle }) => idle);
    this.ofPools('db_pool_max_connections', 'Most database connections of this process', ({ max }) => max);
    this.ofPools('db_pool_waiting_requests', 'Requests that wait for a database connection', ({ waiting }) => waiting);
    if (!database.replicaState()) return;
    gauge(registry, 'db_replica_in_use', '1 while searches use the read replica, 0 while they use the primary', () =>
      Number(database.replicaState()!.inUse),
    );
    gauge(
      registry,
      'db_replica_lag_seconds',
      'Upper bound of the time that the read replica is behind the primary',
      () => database.replicaState()!.lagSeconds,
    );
    new Counter({
      name: 'db_replica_reads_total',
      help: 'Searches by server',
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { pool, count } of database.replicaState()!.reads) this.inc({ pool }, count);
      },
    });
  }

  private ofPools(name: string, help: string, pick: (state: PoolState) => number): void {
    const { database, registry } = this;
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const state of database.pools()) this.set({ pool: state.pool }, pick(state));
      },
    });
  }
}
