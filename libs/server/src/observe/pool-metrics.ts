import { Database, type PoolState } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';

/** Usage of the connection pools, read at each scrape. `pool` is `primary` or `replica`. */
@Injectable()
export class PoolMetrics {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
  ) {
    this.gauge('db_pool_used_connections', 'Database connections in use', ({ used }) => used);
    this.gauge('db_pool_idle_connections', 'Idle database connections', ({ idle }) => idle);
    this.gauge('db_pool_max_connections', 'Most database connections of this process', ({ max }) => max);
    this.gauge('db_pool_waiting_requests', 'Requests that wait for a database connection', ({ waiting }) => waiting);
  }

  private gauge(name: string, help: string, pick: (state: PoolState) => number): void {
    const { database } = this;
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [this.registry],
      collect() {
        for (const state of database.pools()) this.set({ pool: state.pool }, pick(state));
      },
    });
  }
}
