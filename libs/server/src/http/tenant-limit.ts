import { unavailable } from '@fibre/problems';
import pLimit, { type LimitFunction } from 'p-limit';

/** Limits how much work of one kind each tenant may do at once in this process; further work waits its turn. */
export class TenantLimit {
  private readonly limits = new Map<string, LimitFunction>();

  /** @param kind name of the work in error messages */
  constructor(
    private readonly kind: string,
    private readonly atOnce: number,
    private readonly maxWaitMs: number,
  ) {}

  /** @throws Problem 503 if the work waits too long for its turn */
  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const limit = this.limits.get(tenant) ?? pLimit(this.atOnce);
    this.limits.set(tenant, limit);
    return new Promise<T>((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(unavailable(`Another ${this.kind} of this tenant is running; nothing was done.`));
      }, this.maxWaitMs);
      void limit(async () => {
        clearTimeout(timer);
        if (!isLate) await work().then(resolve, reject);
        const isLast = limit.activeCount === 1 && limit.pendingCount === 0;
        if (isLast) this.limits.delete(tenant);
      });
    });
  }
}
