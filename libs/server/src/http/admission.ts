import { FairQueue, type Waiting } from './fair-queue.js';

/** Why a request is not admitted: no place to wait, waited too long, or too many bytes of answers that nobody reads. */
export type Refusal = 'queue-full' | 'queue-timeout' | 'unread-answers';

/** How many requests at once. */
export interface AdmissionLimits {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
}

/** A request that asks to be admitted. */
export interface Applicant extends Waiting {
  readonly admit: () => void;
  readonly refuse: (reason: Refusal) => void;
}

/** Of all places, what one client may have at most: the rest is for the others, however many it asks for. */
const SHARE_OF_ONE_CLIENT = 1 / 2;
/** Milliseconds that a request may wait for a place: in a burst, and while others are refused. */
const [BURST_WAIT_MS, OVERLOAD_WAIT_MS] = [500, 50];
/** Milliseconds that an overload lasts after its last refusal. */
const OVERLOAD_MS = 1_000;
/** Milliseconds between two looks for who has waited too long. */
const SWEEP_MS = 5;

/**
 * A bound on requests in flight and on those waiting for a place (docs/adr/0013-overload.md). A burst waits in order. Once
 * requests are refused the newest goes first and the others wait briefly: in order, all would be late.
 */
export class Admission {
  private readonly queue: FairQueue<Applicant>;
  private readonly inFlightOf = new Map<string, number>();
  private readonly maxOfOneClient: number;
  private count = 0;
  private lastRefusal = -Infinity;
  private sweep: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: AdmissionLimits,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.queue = new FairQueue(limits.maxWaiting);
    this.maxOfOneClient = Math.max(1, Math.floor(limits.maxInFlight * SHARE_OF_ONE_CLIENT));
  }

  get inFlight(): number {
    return this.count;
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** Admits at once, later or not at all. Who was admitted has to {@link leave}. */
  apply(applicant: Applicant): void {
    if (this.hasPlace && this.mayGo(applicant.client)) {
      this.enter(applicant.client);
      applicant.admit();
      return;
    }
    const surplus = this.queue.add(applicant);
    if (surplus) this.refuse(surplus, 'queue-full');
    this.sweep ??= setInterval(() => this.refuseLate(), SWEEP_MS).unref();
  }

  /** Counts a request that is under way already, be there a place or not. */
  enter(client: string): void {
    this.count++;
    this.inFlightOf.set(client, (this.inFlightOf.get(client) ?? 0) + 1);
  }

  /** Whether a request of this client would be refused at once. */
  isClosedTo(client: string): boolean {
    return this.queue.length >= this.limits.maxWaiting && !(this.hasPlace && this.mayGo(client));
  }

  /** Gives a place to the next one. */
  leave(client: string): void {
    this.count--;
    const left = this.inFlightOf.get(client)! - 1;
    if (left > 0) this.inFlightOf.set(client, left);
    else this.inFlightOf.delete(client);
    while (this.hasPlace) {
      const next = this.queue.take(this.mayGo, this.isOverloaded);
      if (!next) return;
      this.enter(next.client);
      next.admit();
    }
  }

  /** Who has left need not be asked any more. */
  withdraw(applicant: Applicant): void {
    this.queue.remove(applicant);
  }

  private get hasPlace(): boolean {
    return this.count < this.limits.maxInFlight;
  }

  private readonly mayGo = (client: string): boolean => (this.inFlightOf.get(client) ?? 0) < this.maxOfOneClient;

  private get isOverloaded(): boolean {
    return this.now() - this.lastRefusal < OVERLOAD_MS;
  }

  private refuse(applicant: Applicant, reason: Refusal): void {
    this.lastRefusal = this.now();
    applicant.refuse(reason);
  }

  private refuseLate(): void {
    const wait = this.isOverloaded ? OVERLOAD_WAIT_MS : BURST_WAIT_MS;
    for (const late of this.queue.removeOlder(this.now() - wait)) this.refuse(late, 'queue-timeout');
    if (this.queue.length > 0) return;
    clearInterval(this.sweep);
    this.sweep = undefined;
  }
}
