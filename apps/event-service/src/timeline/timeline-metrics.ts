import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** Counts how often a write met another one on its timeline. */
@Injectable()
export class TimelineMetrics {
  readonly retries: Counter;

  constructor(registry: Registry) {
    this.retries = new Counter({
      name: 'timeline_retries_total',
      help: 'Attempts to record an event that met another one on the timeline of the entity and began again',
      registers: [registry],
    });
  }
}
