import { unavailable } from '@fibre/problems';
import pLimit, { type LimitFunction } from 'p-limit';

/** Lets each tenant have so much work of a kind under way at a time in this process; more of it waits for its turn. */
export class TenantLimit {
  private readonly limits = new Map<string, LimitFunction>();

  /** @param kind what the work is called in a refusal */
  constructor(
    private readonly kind: string,
    private readonly atOnce: number,
    private readonly maxWaitMs: number,
  ) {}

  /** @throws Problem 503 when its turn does not come in time */
  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const limit = this.limits.get(tenant) ?? pLimit(this.atOnce);
    this.limits.set(tenant, limit);
    return new Promise<T>((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(unavailable(`Another ${this.kind} of this tenant is under way; nothing was done.`));
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
