/** A client whose requests take no longer than this on average, in milliseconds, may use half of the slots. */
const CHEAP_MS = 50;
/** The slots that a client keeps, however long its requests take. */
const LEAST_SLOTS = 2;
/** Longer requests, such as exports, count as this long, so that a client is soon back at its share. */
const LONGEST_MS = 400;
/** How much of the average the last request makes up. */
const WEIGHT = 1 / 8;
/** Maximum number of clients whose average is known; the one that was idle longest is dropped first. */
const MAX_CLIENTS = 1_000;

/**
 * How many slots each client may use: the fewer, the longer its last successful requests took. Otherwise a client with expensive requests
 * would keep the database busy with half of the slots. A request that hangs does not end well, so it does not lower its client's share.
 */
export class RequestCosts {
  private readonly averages = new Map<string, number>();
  private readonly half: number;

  constructor(slots: number) {
    this.half = Math.max(1, Math.floor(slots / 2));
  }

  slotsOf(client: string): number {
    const affordable = Math.floor((this.half * CHEAP_MS) / (this.averages.get(client) ?? 1));
    return Math.min(this.half, Math.max(LEAST_SLOTS, affordable));
  }

  note(client: string, ms: number): void {
    const before = this.averages.get(client) ?? 0;
    this.averages.delete(client);
    this.averages.set(client, before + WEIGHT * (Math.min(ms, LONGEST_MS) - before));
    const [idlest] = this.averages.keys();
    if (this.averages.size > MAX_CLIENTS && idlest !== undefined) this.averages.delete(idlest);
  }
}
