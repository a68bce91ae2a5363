import { Shares } from './shares.js';

/** Why a request does not get a slot: the queue is full, or the request waited too long. */
export type Refusal = 'queue-full' | 'queue-timeout';

/** Maximum numbers of requests in progress and in the queue. */
export interface AdmissionLimits {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
}

interface Waiting {
  readonly client: string;
  readonly onTurn: (refusal?: Refusal) => void;
  readonly timer: NodeJS.Timeout;
}

/** Longest time that a request waits for a slot. */
const MAX_WAIT_MS = 500;

/** A limited number of slots for requests, and a queue in which clients take turns (docs/adr/0013-overload.md). */
export class Admission {
  private readonly places: Shares;
  /** The waiting requests of each client; the clients are in the order of their turns. */
  private readonly lines = new Map<string, Waiting[]>();
  private count = 0;

  constructor(private readonly limits: AdmissionLimits) {
    this.places = new Shares(limits.maxInFlight);
  }

  get inFlight(): number {
    return this.places.used;
  }

  get waiting(): number {
    return this.count;
  }

  /**
   * Requests a slot.
   *
   * @param onTurn is called when the request gets its slot or is rejected, possibly immediately
   * @returns a function that gives the slot back or leaves the queue; call it once
   */
  enter(client: string, onTurn: (refusal?: Refusal) => void): () => void {
    let leave = (): void => undefined;
    const start = (refusal?: Refusal): void => {
      leave = refusal ? () => undefined : () => this.leave(client);
      onTurn(refusal);
    };
    if (this.places.take(client, 1)) start();
    else if (!this.hasRoomFor(client)) start('queue-full');
    else leave = this.wait(client, start);
    return () => leave();
  }

  private wait(client: string, onTurn: Waiting['onTurn']): () => void {
    const timer = setTimeout(() => this.refuse(waiting, 'queue-timeout'), MAX_WAIT_MS);
    const waiting: Waiting = { client, onTurn, timer };
    this.lines.set(client, [...(this.lines.get(client) ?? []), waiting]);
    this.count++;
    return () => this.remove(waiting);
  }

  /** If the queue is full, the client with the most waiting requests loses its last one to make room for a client with fewer. */
  private hasRoomFor(client: string): boolean {
    if (this.count < this.limits.maxWaiting) return true;
    const [longest] = [...this.lines.values()].sort((a, b) => b.length - a.length);
    if (!longest || longest.length <= (this.lines.get(client)?.length ?? 0) + 1) return false;
    this.refuse(longest.at(-1)!, 'queue-full');
    return true;
  }

  private leave(client: string): void {
    this.places.give(client, 1);
    for (const [next, [first]] of this.lines) {
      if (!first || !this.places.take(next, 1)) continue;
      this.remove(first);
      this.moveToTheEnd(next);
      return first.onTurn();
    }
  }

  private moveToTheEnd(client: string): void {
    const line = this.lines.get(client);
    if (!line) return;
    this.lines.delete(client);
    this.lines.set(client, line);
  }

  private refuse(waiting: Waiting, refusal: Refusal): void {
    this.remove(waiting);
    waiting.onTurn(refusal);
  }

  private remove(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    const line = this.lines.get(waiting.client) ?? [];
    if (!line.includes(waiting)) return;
    this.count--;
    const left = line.filter((each) => each !== waiting);
    if (left.length > 0) this.lines.set(waiting.client, left);
    else this.lines.delete(waiting.client);
  }
}
