import { Database } from '@fibre/database';
import { gauge } from '@fibre/server';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Registry } from 'prom-client';
import { selectClock } from './changes.sql.js';

/** Milliseconds between two readings of the database's clock. */
const INTERVAL_MS = 5_000;
/** Milliseconds by which the two clocks may differ. */
const TOLERATED_MS = 2_000;
/** A reading that takes more than twice this long is less useful than an older one. */
const MAX_UNCERTAINTY_MS = 500;

/** Compares the clock of this service with the clock of its database. */
@Injectable()
export class DatabaseClock implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('DatabaseClock');
  /**
   * The database's time when `performance.now()` was zero. `performance.now()` cannot be set, so a change of the system clock is noticed
   * immediately.
   */
  private origin?: number;
  private uncertaintyMs = 0;
  private wasWrong = false;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    registry: Registry,
  ) {
    const help = 'Seconds by which the clock of this service is ahead of its database; above 2, writes are rejected';
    gauge(registry, 'db_clock_difference_seconds', help, () => this.differenceMs / 1_000);
  }

  async onModuleInit(): Promise<void> {
    await this.compare();
    this.timer = setInterval(() => void this.compare(), INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Whether it is certain that the clocks differ by more than the tolerance. */
  get isWrong(): boolean {
    const isWrong = Math.abs(this.differenceMs) - this.uncertaintyMs > TOLERATED_MS;
    if (isWrong !== this.wasWrong) {
      const by = `${(Math.abs(this.differenceMs) / 1_000).toFixed(1)} s ${this.differenceMs > 0 ? 'ahead of' : 'behind'}`;
      if (isWrong) this.logger.error(`the clock of this service is ${by} the clock of its database: writes are rejected`);
      else this.logger.log("this service's clock agrees with its database's clock again: writes are accepted");
      this.wasWrong = isWrong;
    }
    return isWrong;
  }

  private get differenceMs(): number {
    return this.origin === undefined ? 0 : Date.now() - (this.origin + performance.now());
  }

  /** Asks the database for the time, which it reads from its clock at some unknown moment while we wait. */
  private async compare(): Promise<void> {
    const before = performance.now();
    const now = await this.database.run<{ ms: number }>(selectClock).then(
      ([row]) => row!.ms,
      () => undefined,
    );
    const after = performance.now();
    const uncertaintyMs = (after - before) / 2;
    if (now === undefined || (this.origin !== undefined && uncertaintyMs > MAX_UNCERTAINTY_MS)) return;
    this.origin = now - (before + after) / 2;
    this.uncertaintyMs = uncertaintyMs;
    void this.isWrong;
  }
}
