/** A client whose requests take no longer than this on average, in milliseconds, may use half of the slots. */
const CHEAP_MS = 20;
/** The slots that a client keeps, however long its requests take. */
const LEAST_SLOTS = 2;
/** Longer requests, such as exports, count as this long, so that a client is soon back at its share. */
const LONGEST_MS = 400;
/** The longest time for which a slot stays taken after an expensive request, in milliseconds. */
const LONGEST_PAUSE_MS = 100;
/** Milliseconds after its last request during which a client counts as one with whom the slots are shared. */
const RIVAL_MS = 10_000;
/** How much of the average the last request makes up. */
const WEIGHT = 1 / 8;
/** Maximum number of clients whose average is known; the one that was idle longest is dropped first. */
const MAX_CLIENTS = 1_000;

interface LastUse {
  readonly client: string;
  readonly at: number;
}

/**
 * How many slots each client may use: half of them and, while others use the service too, the fewer, the longer its last successful
 * requests took; after each of them its slot stays taken as long again. Otherwise a client with expensive requests would keep the database
 * busy with half of the slots. A request that hangs is not successful, so it does not lower its client's share.
 */
export class RequestCosts {
  private readonly averages = new Map<string, number>();
  private readonly half: number;
  /** The last use by any client, and the last one by another client than that. */
  private last: LastUse | undefined;
  private lastOfAnother: LastUse | undefined;

  constructor(slots: number) {
    this.half = Math.max(1, Math.floor(slots / 2));
  }

  slotsOf(client: string): number {
    if (!this.hasRival(client)) return this.half;
    const affordable = Math.floor((this.half * CHEAP_MS) / (this.averages.get(client) ?? 1));
    return Math.min(this.half, Math.max(LEAST_SLOTS, affordable));
  }

  /** @returns for how many milliseconds more the slot of this request is to stay taken */
  note(client: string, ms: number): number {
    if (this.last?.client !== client) this.lastOfAnother = this.last;
    this.last = { client, at: performance.now() };
    const before = this.averages.get(client) ?? 0;
    this.averages.delete(client);
    this.averages.set(client, before + WEIGHT * (Math.min(ms, LONGEST_MS) - before));
    const [idlest] = this.averages.keys();
    if (this.averages.size > MAX_CLIENTS && idlest !== undefined) this.averages.delete(idlest);
    return this.slotsOf(client) < this.half ? Math.min(ms, LONGEST_PAUSE_MS) : 0;
  }

  private hasRival(client: string): boolean {
    const rival = this.last?.client === client ? this.lastOfAnother : this.last;
    return rival !== undefined && performance.now() - rival.at < RIVAL_MS;
  }
}
