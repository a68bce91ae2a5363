/** One that waits for its turn. */
export interface Waiting {
  /** Whose it is; clients take turns. */
  readonly client: string;
  /** When it came, as `performance.now()` has it. */
  readonly since: number;
}

/** A bounded queue in which clients take turns: who sends most waits longest and is refused first. */
export class FairQueue<T extends Waiting> {
  /** In the order in which the clients have their turns. */
  private readonly lines = new Map<string, T[]>();
  private count = 0;

  constructor(private readonly max: number) {}

  get length(): number {
    return this.count;
  }

  /** @returns the one that there is no place for: the newest of the client with most places, which may be `waiting` itself */
  add(waiting: T): T | undefined {
    const own = this.lines.get(waiting.client);
    if (this.count < this.max) {
      this.push(waiting);
      return undefined;
    }
    const longest = [...this.lines.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (longest.length <= (own?.length ?? 0) + 1) return waiting;
    const refused = longest.at(-1)!;
    this.remove(refused);
    this.push(waiting);
    return refused;
  }

  /** Takes one of the next client that `mayGo`. Its newest when `newestFirst`: where many wait too long, the others are late already. */
  take(mayGo: (client: string) => boolean, newestFirst: boolean): T | undefined {
    for (const [client, line] of this.lines) {
      if (!mayGo(client)) continue;
      const taken = newestFirst ? line.pop() : line.shift();
      this.count--;
      this.lines.delete(client);
      if (line.length > 0) this.lines.set(client, line);
      return taken;
    }
    return undefined;
  }

  remove(waiting: T): void {
    const line = this.lines.get(waiting.client) ?? [];
    const index = line.lastIndexOf(waiting);
    if (index === -1) return;
    line.splice(index, 1);
    this.count--;
    if (line.length === 0) this.lines.delete(waiting.client);
  }

  /** Removes those who came before `time`. */
  removeOlder(time: number): T[] {
    const old = [...this.lines.values()].flatMap((line) => line.filter(({ since }) => since < time));
    for (const waiting of old) this.remove(waiting);
    return old;
  }

  private push(waiting: T): void {
    const line = this.lines.get(waiting.client);
    if (line) line.push(waiting);
    else this.lines.set(waiting.client, [waiting]);
    this.count++;
  }
}
