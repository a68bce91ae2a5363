import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

const INTERVAL_MS = 10 * 60 * 1_000;

/** Work that every replica repeats every ten minutes. After a failure, the next run on any replica continues. */
export abstract class RegularWork implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly logger = new Logger(this.constructor.name);
  /** Whether the service is shutting down; the work ends before the pool closes. */
  protected closing = false;
  private timer?: NodeJS.Timeout;

  /** @param what the work, for the log */
  constructor(private readonly what: string) {}

  abstract run(now?: number): Promise<unknown>;

  onApplicationBootstrap(): void {
    const run = () => this.run().catch((err: unknown) => this.logger.warn({ err }, `${this.what} failed`));
    this.timer = setInterval(() => void run(), INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    this.closing = true;
    clearInterval(this.timer);
  }
}
