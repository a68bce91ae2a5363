import { Database, type PoolState } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';

/** How busy the connection pools are, asked at each scrape. `pool` is `primary` or `replica`. */
@Injectable()
export class PoolMetrics {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
  ) {
    this.gauge('db_pool_used_connections', 'Connections to the database that a request uses', ({ used }) => used);
    this.gauge('db_pool_idle_connections', 'Connections to the database that wait for a request', ({ idle }) => idle);
    this.gauge('db_pool_max_connections', 'Most connections to the database that this process may open', ({ max }) => max);
    this.gauge('db_pool_waiting_requests', 'Requests that wait for a connection to the database', ({ waiting }) => waiting);
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
