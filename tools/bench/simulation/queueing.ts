import TinyQueue from 'tinyqueue';

interface Event {
  readonly at: number;
  readonly run: () => void;
}

/** Time that passes from event to event. Milliseconds. */
export class Clock {
  now = 0;
  private readonly events = new TinyQueue<Event>([], (a, b) => a.at - b.at);

  after(ms: number, run: () => void): void {
    this.events.push({ at: this.now + ms, run });
  }

  runUntil(end: number): void {
    for (let event = this.events.peek(); event !== undefined && event.at <= end; event = this.events.peek()) {
      this.events.pop();
      this.now = event.at;
      event.run();
    }
  }
}

/** Processors with one queue before them. */
export class Station {
  private readonly queue: (() => void)[] = [];
  private head = 0;
  private busy = 0;
  private worked = 0;

  constructor(
    private readonly clock: Clock,
    private readonly processors: number,
  ) {}

  /** @param ms of work */
  work(ms: number, done: () => void): void {
    this.take(() => {
      this.worked += ms;
      this.clock.after(ms, () => {
        this.release();
        done();
      });
    });
  }

  /** A place that is held until {@link release}. */
  take(start: () => void): void {
    if (this.busy < this.processors) {
      this.busy++;
      start();
    } else {
      this.queue.push(start);
    }
  }

  release(): void {
    const next = this.queue[this.head++];
    if (next) {
      if (this.head > 1_000 && this.head * 2 > this.queue.length) {
        this.queue.splice(0, this.head);
        this.head = 0;
      }
      next();
    } else {
      this.head--;
      this.busy--;
    }
  }

  /** Part of the processors' time that was work, since the last time it was asked. */
  utilisation(ms: number): number {
    const part = this.worked / (this.processors * ms);
    this.worked = 0;
    return part;
  }
}
