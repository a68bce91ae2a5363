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
      help: '1 while the read replica answers searches, 0 while the database itself does',
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
      help: 'Searches by the server that answered them',
      labelNames: ['pool'],
      registers,
      collect() {
        this.reset();
        for (const { pool, count } of database.replicaState()!.reads) this.inc({ pool }, count);
      },
    });
  }
}
