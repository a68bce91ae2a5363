import { AsyncLocalStorage } from 'node:async_hooks';

/** Why the work for a request ends before it is done: its time ran out, or nobody waits for the answer any more. */
export type EndOfWork = 'deadline' | 'client-gone';

/** The request is over before its work was done. No statement was cut short by this: what was not sent yet is not sent any more. */
export class WorkCancelled extends Error {
  override readonly name = 'WorkCancelled';

  constructor(readonly reason: EndOfWork) {
    super(reason === 'deadline' ? 'the deadline of the request has passed' : 'the client of the request has disconnected');
  }
}

const current = new AsyncLocalStorage<Deadline | undefined>();

/**
 * One deadline for all that a request asks of the database: it ends the wait for a connection, and no statement is sent after it. A statement
 * that runs is ended by its own `statement_timeout`. It travels by the asynchronous context, so it also reaches the statements of TypeORM.
 */
export class Deadline {
  private readonly listeners = new Set<(reason: EndOfWork) => void>();
  private timer: NodeJS.Timeout | undefined;
  private endsAt = Infinity;
  private reason: EndOfWork | undefined;
  private isDone = false;

  /** The deadline of the work under way; `undefined` outside of {@link run}. */
  static get current(): Deadline | undefined {
    return current.getStore();
  }

  /** Why the work is over; `undefined` while it may go on. */
  get over(): EndOfWork | undefined {
    return this.reason;
  }

  /** @throws WorkCancelled when the work is over */
  check(): void {
    if (this.reason) throw new WorkCancelled(this.reason);
  }

  /** Runs work, and all that it starts, under this deadline. */
  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /** Leaves the work at least `ms` milliseconds from now; the first call starts the clock. */
  allow(ms: number): void {
    const endsAt = performance.now() + ms;
    if (this.isDone || (this.timer && endsAt <= this.endsAt)) return;
    clearTimeout(this.timer);
    this.endsAt = endsAt;
    this.timer = setTimeout(() => this.end('deadline'), ms);
  }

  /** Ends the work: nothing waits for a connection any more, and no further statement is sent. */
  end(reason: EndOfWork): void {
    if (this.reason) return;
    this.reason = reason;
    const listeners = [...this.listeners];
    this.stop();
    for (const listener of listeners) listener(reason);
  }

  /**
   * The work is done. Drops the listeners: the timers of a connection that was opened in this context keep the deadline for as long as the
   * connection stays open, and would keep the request with it.
   */
  stop(): void {
    this.isDone = true;
    clearTimeout(this.timer);
    this.listeners.clear();
  }

  /** @returns how to stop listening */
  onEnd(listener: (reason: EndOfWork) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/**
 * Waits for a result, but no longer than the work under way has time.
 *
 * @param onLate is called with a result that comes after that
 */
export async function withinDeadline<T>(result: Promise<T>, onLate: (late: T) => void = () => undefined): Promise<T> {
  const deadline = Deadline.current;
  if (!deadline) return result;
  let stopListening!: () => void;
  const over = new Promise<never>((_resolve, reject) => {
    stopListening = deadline.onEnd((reason) => {
      reject(new WorkCancelled(reason));
      result.then(onLate, () => undefined);
    });
  });
  return Promise.race([result, over]).finally(() => stopListening());
}
