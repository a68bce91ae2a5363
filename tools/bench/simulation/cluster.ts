import { Clock, Station } from './queueing.js';

/** What is simulated; times in milliseconds of one processor. */
export interface Cluster {
  readonly putsPerSecond: number;
  readonly replicas: number;
  /** Processors of the coordinator, and of each worker. */
  readonly coordinatorProcessors: number;
  readonly workers: number;
  readonly workerProcessors: number;
  /** Measured: what a PUT takes of each, both statements together. */
  readonly serviceMs: number;
  readonly coordinatorMs: number;
  readonly workerMs: number;
  /** From one machine to the next and back. */
  readonly networkMs: number;
  readonly seconds: number;
  /** Seconds from and until which one worker is away. */
  readonly lost?: readonly [from: number, until: number];
}

/** A second of the simulation. */
export interface Second {
  readonly good: number;
  readonly refused: number;
  /** 99th percentile of what was answered in it, from its first attempt on. */
  readonly p99: number;
  readonly coordinator: number;
  readonly worker: number;
}

/** As in libs/server/src/http: bounds of one process. */
const [IN_FLIGHT, WAITING, MAX_WAIT_MS, POOL] = [16, 16, 500, 10];
const RETRY_AFTER_MS = [1_000, 2_000, 3_000];
/** The coordinator is told at once that nobody listens. */
const REFUSED_CONNECTION_MS = 1;
const STATEMENTS = 2;

/** Runs it. Service times are exponentially distributed, arrivals independent of each other. */
export function simulate(cluster: Cluster, random: () => number): Second[] {
  const clock = new Clock();
  const exponential = (mean: number): number => -Math.log(1 - random()) * mean;
  const oneOf = (count: number): number => Math.floor(random() * count);
  const replicas = Array.from({ length: cluster.replicas }, () => ({
    processor: new Station(clock, 1),
    pool: new Station(clock, POOL),
    inFlight: 0,
    queue: [] as { since: number; start: () => void; refuse: () => void }[],
  }));
  const coordinator = new Station(clock, cluster.coordinatorProcessors);
  const workers = Array.from({ length: cluster.workers }, () => new Station(clock, cluster.workerProcessors));
  const isAway = (worker: number): boolean =>
    worker === 0 && cluster.lost !== undefined && clock.now >= cluster.lost[0] * 1_000 && clock.now < cluster.lost[1] * 1_000;
  let [good, refused, turn] = [0, 0, 0];
  let latencies: number[] = [];

  const attempt = (born: number, worker: number): void => {
    const replica = replicas[oneOf(replicas.length)]!;
    const again = (): void => {
      refused++;
      clock.after(RETRY_AFTER_MS[turn++ % RETRY_AFTER_MS.length]!, () => attempt(born, worker));
    };
    const leave = (): void => {
      replica.inFlight--;
      while (replica.queue.length > 0 && replica.inFlight < IN_FLIGHT) {
        const next = replica.queue.shift()!;
        if (clock.now - next.since > MAX_WAIT_MS) next.refuse();
        else next.start();
      }
    };
    const start = (): void => {
      replica.inFlight++;
      replica.processor.work(exponential(cluster.serviceMs), () => statement(STATEMENTS));
    };
    const statement = (left: number): void => {
      if (left === 0) {
        good++;
        latencies.push(clock.now - born);
        return leave();
      }
      replica.pool.take(() =>
        clock.after(cluster.networkMs, () =>
          coordinator.work(exponential(cluster.coordinatorMs / STATEMENTS), () => {
            const end = (next: () => void): void => {
              replica.pool.release();
              next();
            };
            if (isAway(worker)) return clock.after(REFUSED_CONNECTION_MS, () => end(() => (again(), leave())));
            clock.after(cluster.networkMs, () =>
              workers[worker]!.work(exponential(cluster.workerMs / STATEMENTS), () => end(() => statement(left - 1))),
            );
          }),
        ),
      );
    };
    if (replica.inFlight < IN_FLIGHT) start();
    else if (replica.queue.length < WAITING) replica.queue.push({ since: clock.now, start, refuse: again });
    else again();
  };
  const arrive = (): void => {
    attempt(clock.now, oneOf(cluster.workers));
    clock.after(exponential(1_000 / cluster.putsPerSecond), arrive);
  };

  arrive();
  return Array.from({ length: cluster.seconds }, (_, second) => {
    clock.runUntil((second + 1) * 1_000);
    latencies.sort((a, b) => a - b);
    const result: Second = {
      good,
      refused,
      p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
      coordinator: coordinator.utilisation(1_000),
      worker: workers.at(-1)!.utilisation(1_000),
    };
    [good, refused, latencies] = [0, 0, []];
    workers.slice(0, -1).forEach((worker) => worker.utilisation(1_000));
    return result;
  });
}
