import { Deadline, type Limit, type LimitReached, type Share, WorkCancelled } from '@fibre/database';
import type { BodyAdmission } from '@fibre/body';
import type { RequestCosts, RunningRequest } from './request-costs.js';

/** What the requests of a service share. */
export interface RequestLimits {
  readonly requests: Limit;
  readonly bodies: Limit;
  readonly announcements: Limit;
  /** Milliseconds for a request, once it has its slot or its body has arrived. */
  readonly deadlineMs: number;
}

/** What one request takes from the service: memory for its body as it arrives, a slot, and its deadline. `close` gives it all back. */
export class RequestSlot implements BodyAdmission {
  readonly deadline: Deadline;
  private announced: Share | undefined;
  private body: Share | undefined;
  private slot: Share | undefined;
  private running: RunningRequest | undefined;
  private isClosed = false;

  constructor(
    private readonly limits: RequestLimits,
    private readonly client: string,
    /** Absent for a client that is not limited further by what its requests cost. */
    private readonly costs?: RequestCosts,
  ) {
    this.deadline = new Deadline(limits.deadlineMs, () => this.leave(), client);
  }

  /** Waits for a slot. @throws WorkCancelled, LimitReached */
  async ready(): Promise<void> {
    if (!this.isClosed) this.slot ??= this.limits.requests.ask(this.client);
    await this.slot?.ready();
    this.check();
    this.running ??= this.costs?.begin(this.client);
    this.deadline.start();
  }

  /** Waits until the client may announce a body of this size. @throws LimitReached */
  async announce(bytes: number): Promise<void> {
    this.announced = this.limits.announcements.ask(this.client, bytes);
    await this.announced.ready();
  }

  received(bytes: number): boolean {
    this.check();
    this.body ??= this.limits.bodies.ask(this.client, 0);
    return this.body.grow(bytes);
  }

  /** @throws WorkCancelled the client has disconnected */
  check(): void {
    this.deadline.check();
    if (this.isClosed) throw new WorkCancelled();
  }

  refusal(): LimitReached {
    return this.limits.bodies.refusal('full');
  }

  /** The request no longer runs. @returns for how many milliseconds more its slot is to stay taken */
  end(failed: boolean): number {
    const { running } = this;
    this.running = undefined;
    return running && this.costs ? this.costs.end(running, failed) : 0;
  }

  /** Gives the slot back early, while the request waits for a turn that has a limit of its own. */
  private leave(): void {
    const { slot } = this;
    if (!slot?.isTaken) return;
    const pause = this.end(false);
    if (pause > 0) setTimeout(() => slot.close(), pause);
    else slot.close();
  }

  /** Calling it again does nothing. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.end(true);
    this.deadline.stop();
    this.announced?.close();
    this.body?.close();
    this.slot?.close();
  }
}
