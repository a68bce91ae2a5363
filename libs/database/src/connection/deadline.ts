import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The request ended before its work was done: its time ran out, or its client disconnected. A running statement is only interrupted in
 * bulk work; no further statement is sent.
 */
export class WorkCancelled extends Error {
  override readonly name = 'WorkCancelled';

  constructor() {
    super('the deadline of the request has passed, or its client has disconnected');
  }
}

/** What work may take, as whoever starts it declares. */
export interface Budget {
  /** Milliseconds from the start of its clock, if they are more than usual. */
  readonly timeLimitMs?: number;
  /** The limits (see `Limit`) that it may take, in this order, each as often as it likes. */
  readonly limits?: readonly string[];
  /** Milliseconds for which it may wait for locks that other work holds, without a place and mostly without a connection. */
  readonly lockWaitMs?: number;
}

const current = new AsyncLocalStorage<Deadline | undefined>();

/**
 * One deadline for everything that a request does in the database: it ends the wait for a connection, and no statement is sent after it. A
 * running statement is ended by its own `statement_timeout`. The deadline is stored in the asynchronous context, so it also applies to
 * TypeORM's statements.
 */
export class Deadline {
  private readonly listeners = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;
  /** Infinity when the work is done. */
  private endsAt = -Infinity;
  private isCancelled = false;
  private budget: Budget | undefined;
  /** Position of the last limit that the work took. */
  private lastLimit = 0;

  /**
   * @param limitMs milliseconds that the work may take from the start of its clock
   * @param leavePlace gives back the place that the work has among others, because it now waits for a turn that has a limit of its own;
   *   calling it again does nothing
   * @param client whose work it is, for the limits that clients share
   */
  constructor(
    private limitMs = 0,
    readonly leavePlace: () => void = () => undefined,
    readonly client = '',
  ) {}

  /** The deadline of the current work; `undefined` outside of {@link run}. */
  static get current(): Deadline | undefined {
    return current.getStore();
  }

  /** A signal that aborts when the work is cancelled, because of a {@link WorkCancelled}. */
  signal(): AbortSignal {
    const end = new AbortController();
    this.onEnd(() => end.abort(new WorkCancelled()));
    if (this.isCancelled) end.abort(new WorkCancelled());
    return end.signal;
  }

  /** Whether the work has been cancelled. */
  get hasEnded(): boolean {
    return this.isCancelled;
  }

  /** @throws WorkCancelled if the work has been cancelled */
  check(): void {
    if (this.isCancelled) throw new WorkCancelled();
  }

  /** Runs work, and everything it starts, under this deadline. */
  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /** Starts the clock, or starts it again. */
  start(): void {
    this.allow(this.limitMs);
  }

  /** From now on, the work may only take this; its time is the usual one, if that is longer. */
  declare(budget: Budget): void {
    this.budget = budget;
    this.limitMs = Math.max(this.limitMs, budget.timeLimitMs ?? 0);
    if (this.timer) this.start();
  }

  /** @throws Error the work takes a limit that it has not declared, or not in this order */
  enter(limit: string): void {
    if (!this.budget) return;
    const { limits = [] } = this.budget;
    const position = limits.indexOf(limit, this.lastLimit);
    if (position < 0) throw new Error(`the work declares the limits [${limits.join(', ')}], but takes ${limit} now`);
    this.lastLimit = position;
  }

  /** How long the work may wait for locks; `undefined` if it has declared nothing at all. @throws Error it must not wait for any */
  get lockWaitMs(): number | undefined {
    if (!this.budget) return undefined;
    if (this.budget.lockWaitMs === undefined) throw new Error('the work waits for locks, but does not declare that');
    return this.budget.lockWaitMs;
  }

  /** Gives the work at least `ms` milliseconds from now. */
  allow(ms: number): void {
    const endsAt = performance.now() + ms;
    if (endsAt <= this.endsAt) return;
    clearTimeout(this.timer);
    this.endsAt = endsAt;
    this.timer = setTimeout(() => this.end(), ms);
  }

  /** Cancels the work: it stops waiting for connections and sends no further statement. */
  end(): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    const listeners = [...this.listeners];
    this.stop();
    for (const listener of listeners) listener();
  }

  /**
   * Drops the listeners when the work is done. Timers of a connection opened in this context keep the deadline alive for as long as the
   * connection; the listeners would then keep the request alive too.
   */
  stop(): void {
    this.endsAt = Infinity;
    clearTimeout(this.timer);
    this.listeners.clear();
  }

  /** @returns a function that removes the listener */
  onEnd(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/**
 * Waits for a result, but not longer than the current work may take.
 *
 * @param onLate called with a result that arrives after that
 */
export async function withinDeadline<T>(result: Promise<T>, onLate: (late: T) => void = () => undefined): Promise<T> {
  const deadline = Deadline.current;
  if (!deadline) return result;
  return new Promise<T>((resolve, reject) => {
    const cancel = (): void => {
      reject(new WorkCancelled());
      result.then(onLate, () => undefined);
    };
    if (deadline.hasEnded) return cancel();
    const stopListening = deadline.onEnd(cancel);
    void result.then(resolve, reject).finally(stopListening);
  });
}
