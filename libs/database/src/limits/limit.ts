import { Deadline, withinDeadline } from '../connection/deadline.js';
import { LimitReached, type LimitRefusal } from './limit-reached.js';

export interface LimitOptions {
  /** What all clients together may use. Default: no bound. */
  readonly amount?: number;
  /** What one client may use. Default: half of `amount`, so that the rest is left to others. */
  readonly perClient?: number | ((client: string) => number);
  /** Longest time that work waits for its turn, in milliseconds. Default 0: it is turned away at once. */
  readonly maxWaitMs?: number;
  /** How many may wait. Default: no bound. */
  readonly maxWaiting?: number;
}

/**
 * An amount that clients share, such as slots for requests, bytes of bodies, or one kind of work (the table in docs/operations.md). What is
 * free goes to the clients in turn, so that a client with one request does not wait for all requests of another.
 */
export class Limit {
  /** How much work was turned away, by reason. */
  readonly refused: Record<LimitRefusal, number> = { full: 0, timeout: 0 };
  private inUse = 0;
  private readonly usedBy = new Map<string, number>();
  /** The waiting shares of each client; the clients are in the order of their turns. */
  private readonly lines = new Map<string, Set<Share>>();
  private readonly amount: number;
  private readonly perClient: (client: string) => number;

  constructor(
    readonly name: string,
    private readonly options: LimitOptions,
  ) {
    this.amount = options.amount ?? Infinity;
    const { perClient = Math.max(1, Math.floor(this.amount / 2)) } = options;
    this.perClient = typeof perClient === 'number' ? () => perClient : perClient;
  }

  /** What all clients use. */
  get used(): number {
    return this.inUse;
  }

  get waiting(): number {
    return [...this.lines.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether there is room for this much more now. */
  fits(client: string, amount: number): boolean {
    return this.inUse + amount <= this.amount && (this.usedBy.get(client) ?? 0) + amount <= this.perClient(client);
  }

  /** The error for work that is turned away, which this counts. */
  refusal(reason: LimitRefusal): LimitReached {
    this.refused[reason]++;
    return new LimitReached(this.name, reason);
  }

  /** Takes `amount` now or, if it is not possible, queues for it. */
  ask(client: string, amount = 1): Share {
    const share = new Share(this, client, amount);
    if (this.take(client, amount)) share.start();
    else if (!this.options.maxWaitMs || !this.hasRoomFor(client)) share.refuse('full');
    else this.wait(share, this.options.maxWaitMs);
    return share;
  }

  /** Does work when it is its turn, unless the deadline of the request comes first. @throws LimitReached */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    Deadline.current?.enter(this.name);
    const share = this.ask(client);
    try {
      await withinDeadline(share.ready());
      return await work();
    } finally {
      share.close();
    }
  }

  /** @internal for {@link Share} */
  take(client: string, amount: number): boolean {
    if (!this.fits(client, amount)) return false;
    this.inUse += amount;
    this.usedBy.set(client, (this.usedBy.get(client) ?? 0) + amount);
    return true;
  }

  /** @internal for {@link Share} */
  release(client: string, amount: number): void {
    const left = (this.usedBy.get(client) ?? 0) - amount;
    this.inUse -= amount;
    if (left > 0) this.usedBy.set(client, left);
    else this.usedBy.delete(client);
    this.moveLast(client);
    for (const [next, line] of this.lines) {
      const [first] = line;
      if (!first || !this.take(next, first.amount)) continue;
      first.start();
      this.moveLast(next);
    }
  }

  /** The next one of a client that has just had its turn waits until the others have had theirs. */
  private moveLast(client: string): void {
    const line = this.lines.get(client);
    if (line && this.lines.delete(client)) this.lines.set(client, line);
  }

  /** @internal for {@link Share} */
  leave(share: Share): void {
    clearTimeout(share.timer);
    const line = this.lines.get(share.client);
    if (line?.delete(share) && line.size === 0) this.lines.delete(share.client);
  }

  private wait(share: Share, maxWaitMs: number): void {
    share.timer = setTimeout(() => share.refuse('timeout'), maxWaitMs);
    const line = this.lines.get(share.client) ?? new Set();
    this.lines.set(share.client, line.add(share));
  }

  /** If the queue is full, the client with the longest line loses its last place to a client with a shorter one. */
  private hasRoomFor(client: string): boolean {
    if (this.waiting < (this.options.maxWaiting ?? Infinity)) return true;
    const [longest] = [...this.lines.values()].sort((a, b) => b.size - a.size);
    if (!longest || longest.size <= (this.lines.get(client)?.size ?? 0) + 1) return false;
    [...longest].at(-1)!.refuse('full');
    return true;
  }
}

/** What was asked of a {@link Limit}. Whoever asked closes it. */
export class Share {
  /** @internal for {@link Limit} */
  timer: NodeJS.Timeout | undefined;
  private state: 'waiting' | 'taken' | 'refused' | 'closed' = 'waiting';
  private refusal: LimitReached | undefined;
  private onTurn = (): void => undefined;

  constructor(
    private readonly limit: Limit,
    readonly client: string,
    public amount: number,
  ) {}

  /** False while it waits for its turn. */
  get isTaken(): boolean {
    return this.state === 'taken';
  }

  /** Waits for its turn. @throws LimitReached */
  async ready(): Promise<void> {
    if (this.state === 'waiting') await new Promise<void>((resolve) => (this.onTurn = resolve));
    if (this.refusal) throw this.refusal;
  }

  /** Takes more, if there is room for it now. */
  grow(amount: number): boolean {
    if (!this.isTaken || !this.limit.take(this.client, amount)) return false;
    this.amount += amount;
    return true;
  }

  /** Gives everything back, or leaves the queue. Calling it again does nothing. */
  close(): void {
    const { isTaken } = this;
    this.end('closed');
    if (isTaken) this.limit.release(this.client, this.amount);
  }

  /** @internal for {@link Limit} */
  start(): void {
    this.end('taken');
  }

  /** @internal for {@link Limit} */
  refuse(reason: LimitRefusal): void {
    this.refusal = this.limit.refusal(reason);
    this.end('refused');
  }

  /** Ends the wait, if there is one. */
  private end(state: 'taken' | 'refused' | 'closed'): void {
    this.limit.leave(this);
    this.state = state;
    this.onTurn();
  }
}
