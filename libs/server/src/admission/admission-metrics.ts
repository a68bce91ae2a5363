import type { EndOfWork } from '@fibre/database';
import { Counter, type Registry } from 'prom-client';
import { gauge } from '../observe/gauge.js';
import type { Refusal } from './admission.js';

/** Functions called at each scrape. */
export interface AdmissionState {
  readonly inFlight: () => number;
  readonly waiting: () => number;
  readonly bodyBytes: () => number;
}

type Reason = Refusal | 'body-bytes';

/** Counts what the process rejects, cancels and cuts off. */
export class AdmissionMetrics {
  private readonly refusals: Counter;
  private readonly cancellations: Counter;
  private readonly cuts: Counter;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.refusals = new Counter({
      name: 'http_requests_refused_total',
      help: 'Requests rejected with 503 because there were too many',
      labelNames: ['reason'],
      registers,
    });
    this.cancellations = new Counter({
      name: 'http_requests_cancelled_total',
      help: 'Requests whose work was cancelled at their deadline or because their client disconnected',
      labelNames: ['reason'],
      registers,
    });
    this.cuts = new Counter({
      name: 'http_slow_readers_cut_total',
      help: 'Connections closed because their clients did not read the response',
      registers,
    });
    for (const reason of ['queue-full', 'queue-timeout', 'body-bytes'] satisfies Reason[]) this.refusals.inc({ reason }, 0);
    for (const reason of ['deadline', 'client-gone'] satisfies EndOfWork[]) this.cancellations.inc({ reason }, 0);
  }

  observe({ inFlight, waiting, bodyBytes }: AdmissionState): void {
    gauge(this.registry, 'http_requests_in_flight', 'Requests in progress', inFlight);
    gauge(this.registry, 'http_requests_waiting', 'Requests that wait for a place', waiting);
    gauge(this.registry, 'http_body_bytes', 'Bytes of request bodies in memory, announced or received', bodyBytes);
  }

  refused(reason: Reason): void {
    this.refusals.inc({ reason });
  }

  cancelled(reason: EndOfWork): void {
    this.cancellations.inc({ reason });
  }

  slowReaderCut(): void {
    this.cuts.inc();
  }
}
