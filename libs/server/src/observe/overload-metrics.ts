import type { EndOfWork } from '@fibre/database';
import { Logger } from '@nestjs/common';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Refusal } from '../http/admission.js';

/** Milliseconds between two lines about refusals: one for each would cost more than the refusal. */
const LOG_INTERVAL_MS = 5_000;

/** What is asked at each scrape. */
export interface OverloadState {
  readonly inFlight: () => number;
  readonly waiting: () => number;
  readonly unreadBytes: () => number;
}

/** Counts and logs what the process refuses, cancels and cuts. */
export class OverloadMetrics {
  private readonly logger = new Logger('Overload');
  private readonly refusals: Counter;
  private readonly cancellations: Counter;
  private readonly cuts: Counter;
  private sinceLine: Partial<Record<Refusal, number>> = {};
  private nextLine: NodeJS.Timeout | undefined;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.refusals = new Counter({
      name: 'http_requests_refused_total',
      help: 'Requests answered 503 before anything was done, because there were too many',
      labelNames: ['reason'],
      registers,
    });
    this.cancellations = new Counter({
      name: 'http_requests_cancelled_total',
      help: 'Requests whose work was ended: at their deadline, or because their client had gone',
      labelNames: ['reason'],
      registers,
    });
    this.cuts = new Counter({
      name: 'http_slow_readers_cut_total',
      help: 'Connections cut because their clients did not read the answer',
      registers,
    });
    for (const reason of ['queue-full', 'queue-timeout', 'unread-answers'] satisfies Refusal[]) this.refusals.inc({ reason }, 0);
    for (const reason of ['deadline', 'client-gone'] satisfies EndOfWork[]) this.cancellations.inc({ reason }, 0);
  }

  observe({ inFlight, waiting, unreadBytes }: OverloadState): void {
    this.gauge('http_requests_in_flight', 'Requests that are being worked on', inFlight);
    this.gauge('http_requests_waiting', 'Requests that wait for others to be done', waiting);
    this.gauge('http_unread_answer_bytes', 'Bytes of answers that their clients have not read yet', unreadBytes);
  }

  refused(reason: Refusal): void {
    this.refusals.inc({ reason });
    this.sinceLine[reason] = (this.sinceLine[reason] ?? 0) + 1;
    this.nextLine ??= setTimeout(() => this.log(), LOG_INTERVAL_MS).unref();
  }

  cancelled(reason: EndOfWork): void {
    this.cancellations.inc({ reason });
  }

  slowReaderCut(): void {
    this.cuts.inc();
  }

  private log(): void {
    this.logger.warn({ refused: this.sinceLine, seconds: LOG_INTERVAL_MS / 1_000 }, 'more requests than can be answered: 503');
    this.sinceLine = {};
    this.nextLine = undefined;
  }

  private gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}
