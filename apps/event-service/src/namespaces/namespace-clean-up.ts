import { Inject, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { NamespaceMetrics } from './namespace-metrics.js';
import { NAMESPACE_SETTINGS, type NamespaceSettings, TOUCH_INTERVAL_MS } from './namespaces.service.js';
import { NamespacesRepository } from './namespaces.repository.js';

const INTERVAL_MS = 10 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Deletes the namespaces that nobody uses any more, with all their events. Every replica tries, one at a time works. */
@Injectable()
export class NamespaceCleanUp {
  private readonly logger = new Logger(NamespaceCleanUp.name);
  private running = false;
  private closing = false;

  constructor(
    private readonly repository: NamespacesRepository,
    @Inject(NAMESPACE_SETTINGS) private readonly settings: NamespaceSettings,
    private readonly metrics: NamespaceMetrics,
  ) {}

  @Interval(INTERVAL_MS)
  async runWhenDue(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      const steps = await this.run();
      if (steps > 0) this.logger.log({ steps }, 'unused namespaces deleted');
    } catch (error) {
      // Nothing is lost: the next run, here or on another replica, goes on.
      this.logger.warn({ err: error }, 'clean-up of namespaces failed');
    } finally {
      this.running = false;
    }
  }

  /** @returns how many batches there were */
  async run(now = Date.now()): Promise<number> {
    // A use is in the database up to one interval late.
    const cutoff = new Date(now - this.settings.retentionDays * DAY_MS - TOUCH_INTERVAL_MS);
    for (let steps = 0; ; steps++) {
      const found = this.closing ? 'done' : await this.repository.cleanUpStep(cutoff);
      if (found === 'done' || found === 'busy') return steps;
      if (found === 'deleted') this.metrics.deleted.inc();
    }
  }

  onModuleDestroy(): void {
    this.closing = true;
  }
}
