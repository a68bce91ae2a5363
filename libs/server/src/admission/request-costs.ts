/** A client whose requests take no longer than this on average, in milliseconds, may use half of the slots. */
const CHEAP_MS = 20;
/** The slots that a client keeps, however long its requests take. */
const LEAST_SLOTS = 2;
/** Longer requests, such as exports, count as this long, so that a client is soon back at its share. */
const LONGEST_MS = 400;
/** The longest time for which a slot stays taken after an expensive request, in milliseconds. */
const LONGEST_PAUSE_MS = 100;
/** Milliseconds after its last request during which a client counts as one with whom the slots are shared. */
const RIVAL_MS = 2_000;
/** How much of the average the last request makes up. */
const WEIGHT = 1 / 8;
/** A client that keeps no more slots busy than this is not limited further, however long its requests take. */
const FREE_SLOTS = 1.5;
/** For about so many milliseconds it counts how busy a client was. */
const BUSY_MS = 2_000;
/** Maximum number of clients whose use is known; the one that was idle longest is dropped first. */
const MAX_CLIENTS = 1_000;

interface Use {
  readonly averageMs: number;
  /** Slot time of the last requests; what was `BUSY_MS` before `at` counts as e times less. */
  readonly busyMs: number;
  readonly at: number;
}

/** A request that has its slot. */
export interface RunningRequest {
  readonly client: string;
  readonly since: number;
}

interface LastUse {
  readonly client: string;
  readonly at: number;
}

/**
 * How many slots each client may use: half of them. While others use the service too, a client that keeps slots busy gets the fewer, the
 * longer its last responses took, and after each of them its slot stays taken as long again. Otherwise a client with expensive requests
 * would keep the database busy with half of the slots. A response that its client does not read took long too.
 *
 * A request counts while it runs, because some run for as long as others hold a lock, and also if it fails; but a failure never makes the
 * average smaller, because failures are cheap to cause.
 */
export class RequestCosts {
  private readonly uses = new Map<string, Use>();
  private readonly running = new Map<string, Set<RunningRequest>>();
  private readonly half: number;
  /** The last use by any client, and the last one by another client than that. */
  private last: LastUse | undefined;
  private lastOfAnother: LastUse | undefined;

  constructor(slots: number) {
    this.half = Math.max(1, Math.floor(slots / 2));
  }

  slotsOf(client: string): number {
    if (!this.hasRival(client)) return this.half;
    const { averageMs, busyMs } = this.useOf(client);
    if (busyMs < FREE_SLOTS * BUSY_MS) return this.half;
    return Math.min(this.half, Math.max(LEAST_SLOTS, Math.floor((this.half * CHEAP_MS) / averageMs)));
  }

  /** A request has got its slot; {@link end} it when it gives the slot back. */
  begin(client: string): RunningRequest {
    const request = { client, since: performance.now() };
    const others = this.running.get(client) ?? new Set();
    this.running.set(client, others.add(request));
    this.noteUse(client);
    return request;
  }

  /** @returns for how many milliseconds more the slot of this request is to stay taken */
  end(request: RunningRequest, failed = false): number {
    const { client, since } = request;
    const others = this.running.get(client);
    if (!others?.delete(request)) return 0;
    if (others.size === 0) this.running.delete(client);
    return this.note(client, performance.now() - since, failed);
  }

  /** Counts a request that took so long. @returns as {@link end} */
  note(client: string, ms: number, failed = false): number {
    const at = performance.now();
    this.noteUse(client);
    const pause = this.slotsOf(client) < this.half ? Math.min(ms, LONGEST_PAUSE_MS) : 0;
    const before = this.uses.get(client) ?? { averageMs: 0, busyMs: 0, at };
    const averageMs = failed && ms < before.averageMs ? before.averageMs : averaged(before.averageMs, ms);
    this.uses.delete(client);
    this.uses.set(client, { averageMs, busyMs: busyMs(before) + ms + pause, at });
    const [idlest] = this.uses.keys();
    if (this.uses.size > MAX_CLIENTS && idlest !== undefined) this.uses.delete(idlest);
    return pause;
  }

  /** What a client has used, with what its running requests have used so far. */
  private useOf(client: string): Pick<Use, 'averageMs' | 'busyMs'> {
    const ended = this.uses.get(client);
    const use = { averageMs: ended?.averageMs ?? 0, busyMs: ended ? busyMs(ended) : 0 };
    const now = performance.now();
    for (const { since } of this.running.get(client) ?? []) {
      const ms = now - since;
      // One slot that is always busy counts as `BUSY_MS`.
      use.busyMs += BUSY_MS * (1 - Math.exp(-ms / BUSY_MS));
      if (ms > use.averageMs) use.averageMs = averaged(use.averageMs, ms);
    }
    return use;
  }

  private noteUse(client: string): void {
    if (this.last?.client !== client) this.lastOfAnother = this.last;
    this.last = { client, at: performance.now() };
  }

  private hasRival(client: string): boolean {
    const rival = this.last?.client === client ? this.lastOfAnother : this.last;
    return rival !== undefined && performance.now() - rival.at < RIVAL_MS;
  }
}

const averaged = (averageMs: number, ms: number): number => averageMs + WEIGHT * (Math.min(ms, LONGEST_MS) - averageMs);

const busyMs = (use: Use): number => use.busyMs * Math.exp((use.at - performance.now()) / BUSY_MS);
