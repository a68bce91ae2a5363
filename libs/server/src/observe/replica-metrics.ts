import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

/** State of the read replica, read at each scrape; nothing if there is none. */
@Injectable()
export class ReplicaMetrics {
  constructor(database: Database, registry: Registry) {
    if (!database.replicaState()) return;
    const registers = [registry];
    new Gauge({
      name: 'db_replica_in_use',
      help: '1 while searches use the read replica, 0 while they use the primary',
      registers,
      collect() {
        this.set(Number(database.replicaState()!.inUse));
      },
    });
    new Gauge({
      name: 'db_replica_lag_seconds',
      help: 'Upper bound of the time that the read replica is behind the primary',
      registers,
      collect() {
        this.set(database.replicaState()!.lagSeconds);
      },
    });
    new Counter({
      name: 'db_replica_reads_total',
      help: 'Searches by server',
      labelNames: ['pool'],
      registers,
      collect() {
        this.reset();
        for (const { pool, count } of database.replicaState()!.reads) this.inc({ pool }, count);
      },
    });
  }
}
