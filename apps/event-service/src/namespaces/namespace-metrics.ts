import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** Counts what the clean-up does. */
@Injectable()
export class NamespaceMetrics {
  readonly deleted: Counter;

  constructor(registry: Registry) {
    this.deleted = new Counter({
      name: 'namespaces_deleted_total',
      help: 'Unused namespaces deleted with all their events',
      registers: [registry],
    });
  }
}
