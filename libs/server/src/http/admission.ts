import { FairQueue, type Waiting } from './fair-queue.js';

/** Why a request is not admitted: no place to wait, waited too long, or too many bytes of answers that nobody reads. */
export type Refusal = 'queue-full' | 'queue-timeout' | 'unread-answers';

/** How many requests at once. */
export interface AdmissionLimits {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
}

/** A request that waits to be admitted. */
export interface Applicant extends Waiting {
  readonly admit: () => void;
  readonly refuse: (reason: Refusal) => void;
}

/** Of all places, what one client may have at most: the rest is for the others, however many it asks for. */
const SHARE_OF_ONE_CLIENT = 3 / 4;
/** Milliseconds after which a queue that has not been empty is no burst any more. */
const BURST_MS = 250;
/** Of the places to wait, those that are left then. More would make all late without serving more of them. */
const SHARE_OF_OVERLOAD = 1 / 4;
/** Milliseconds that a request may wait for a place. */
const MAX_WAIT_MS = 500;
/** Milliseconds between two looks for who has waited too long. */
const SWEEP_MS = 50;

/**
 * A bound on requests in flight and on those waiting for a place (docs/adr/0013-overload.md). A burst waits. When it does not
 * end, only few may wait, so that who is admitted is answered soon.
 */
export class Admission {
  private readonly queue = new FairQueue<Applicant>();
  private readonly inFlightOf = new Map<string, number>();
  private readonly maxOfOneClient: number;
  private count = 0;
  /** When somebody began to wait; somebody has ever since. */
  private busySince: number | undefined;
  private sweep: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: AdmissionLimits,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.maxOfOneClient = Math.max(1, Math.floor(limits.maxInFlight * SHARE_OF_ONE_CLIENT));
  }

  get inFlight(): number {
    return this.count;
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** Whether a request of this client may {@link enter} now. */
  isOpenTo(client: string): boolean {
    return this.hasPlace && this.mayGo(client);
  }

  /** Whether a request of this client may neither enter nor {@link wait}. */
  refuses(client: string): boolean {
    return !this.isOpenTo(client) && this.isFull && !this.surplusBeside(client);
  }

  /** Counts a request that is under way now. It has to {@link leave}. */
  enter(client: string): void {
    this.count++;
    this.inFlightOf.set(client, (this.inFlightOf.get(client) ?? 0) + 1);
  }

  /** Lets a request wait, which is admitted or refused later. Where there is no room, the client with most places makes some. */
  wait(applicant: Applicant): void {
    const surplus = this.isFull ? this.surplusBeside(applicant.client) : undefined;
    if (surplus) {
      this.queue.remove(surplus);
      surplus.refuse('queue-full');
    }
    this.queue.add(applicant);
    this.busySince ??= this.now();
    this.sweep ??= setInterval(() => this.refuseLate(), SWEEP_MS).unref();
  }

  /** Gives a place to the next one. */
  leave(client: string): void {
    this.count--;
    const left = this.inFlightOf.get(client)! - 1;
    if (left > 0) this.inFlightOf.set(client, left);
    else this.inFlightOf.delete(client);
    while (this.hasPlace) {
      const next = this.queue.take(this.mayGo);
      this.noteEmpty();
      if (!next) return;
      this.enter(next.client);
      next.admit();
    }
  }

  /** Who has gone need not be asked any more. */
  withdraw(applicant: Applicant): void {
    this.queue.remove(applicant);
    this.noteEmpty();
  }

  private get hasPlace(): boolean {
    return this.count < this.limits.maxInFlight;
  }

  private readonly mayGo = (client: string): boolean => (this.inFlightOf.get(client) ?? 0) < this.maxOfOneClient;

  private get isFull(): boolean {
    const { maxWaiting } = this.limits;
    const isBurst = this.busySince === undefined || this.now() - this.busySince < BURST_MS;
    return this.queue.length >= (isBurst ? maxWaiting : maxWaiting * SHARE_OF_OVERLOAD);
  }

  /** The one that has to make room for a request of this client. */
  private surplusBeside(client: string): Applicant | undefined {
    return this.queue.newestOfLonger(this.queue.lengthOf(client) + 1);
  }

  private noteEmpty(): void {
    if (this.queue.length === 0) this.busySince = undefined;
  }

  private refuseLate(): void {
    for (const late of this.queue.removeOlder(this.now() - MAX_WAIT_MS)) late.refuse('queue-timeout');
    this.noteEmpty();
    if (this.queue.length > 0) return;
    clearInterval(this.sweep);
    this.sweep = undefined;
  }
}
