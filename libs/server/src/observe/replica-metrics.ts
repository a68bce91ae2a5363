import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

/** What becomes of the read replica, asked at each scrape; nothing where there is none. */
@Injectable()
export class ReplicaMetrics {
  constructor(database: Database, registry: Registry) {
    if (!database.replicaState()) return;
    const registers = [registry];
    new Gauge({
      name: 'db_replica_in_use',
      help: '1 while the read replica answers searches and listings, 0 while the database itself does',
      registers,
      collect() {
        this.set(Number(database.replicaState()!.inUse));
      },
    });
    new Gauge({
      name: 'db_replica_lag_seconds',
      help: 'Time that the read replica is behind the database, at most',
      registers,
      collect() {
        this.set(database.replicaState()!.lagSeconds);
      },
    });
    new Counter({
      name: 'db_replica_reads_total',
      help: 'Searches and listings by who answered them, and why it was not the other one',
      labelNames: ['pool', 'reason'],
      registers,
      collect() {
        this.reset();
        for (const { pool, reason, count } of database.replicaState()!.reads) this.inc({ pool, reason }, count);
      },
    });
  }
}
