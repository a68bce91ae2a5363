import { Deadline, type Limit, type LimitReached, type Share, WorkCancelled } from '@fibre/database';
import type { BodyAdmission } from '@fibre/validation';
import type { RequestCosts } from './request-costs.js';

/** What the requests of a service share. */
export interface RequestLimits {
  readonly requests: Limit;
  readonly bodies: Limit;
  readonly costs: RequestCosts;
  /** Milliseconds for a request, once it has its slot or its body has arrived. */
  readonly deadlineMs: number;
}

/** What one request takes from the service: memory for its body as it arrives, a slot, and its deadline. `close` gives it all back. */
export class RequestSlot implements BodyAdmission {
  readonly deadline = new Deadline();
  private body: Share | undefined;
  private slot: Share | undefined;
  private since = Infinity;
  private isClosed = false;

  constructor(
    private readonly limits: RequestLimits,
    private readonly client: string,
  ) {}

  /** Takes a slot if there is one at once, else waits for it with {@link ready}. */
  get isReady(): boolean {
    this.slot ??= this.limits.requests.ask(this.client);
    if (this.slot.isTaken) this.start();
    return this.slot.isTaken;
  }

  /** @throws WorkCancelled, LimitReached */
  async ready(): Promise<void> {
    if (!this.isClosed) this.slot ??= this.limits.requests.ask(this.client);
    await this.slot?.ready();
    if (this.isClosed) throw new WorkCancelled('client-gone');
    this.start();
  }

  received(bytes: number): boolean {
    // The rest of a body whose client has disconnected is not kept.
    if (this.isClosed) return true;
    this.body ??= this.limits.bodies.ask(this.client, 0);
    return this.body.grow(bytes);
  }

  refusal(): LimitReached {
    return this.limits.bodies.refusal('full');
  }

  /** @param isServed whether the request was successful, so that its duration counts as the cost of the client's requests */
  close(isServed: boolean): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.deadline.stop();
    this.body?.close();
    if (isServed && this.slot?.isTaken) this.limits.costs.note(this.client, performance.now() - this.since);
    this.slot?.close();
  }

  private start(): void {
    this.since = performance.now();
    this.deadline.allow(this.limits.deadlineMs);
  }
}
