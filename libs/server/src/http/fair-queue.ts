/** One that waits for its turn. */
export interface Waiting {
  /** Whose it is; clients take turns. */
  readonly client: string;
  /** When it came, as `performance.now()` has it. */
  readonly since: number;
}

/** A queue in which clients take turns: who sends most waits longest. */
export class FairQueue<T extends Waiting> {
  /** In the order in which the clients have their turns; each line in the order in which its requests came. */
  private readonly lines = new Map<string, T[]>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  lengthOf(client: string): number {
    return this.lines.get(client)?.length ?? 0;
  }

  add(waiting: T): void {
    const line = this.lines.get(waiting.client);
    if (line) line.push(waiting);
    else this.lines.set(waiting.client, [waiting]);
    this.count++;
  }

  /** Takes the first one of the next client that `mayGo`. */
  take(mayGo: (client: string) => boolean): T | undefined {
    for (const [client, line] of this.lines) {
      if (!mayGo(client)) continue;
      const first = line.shift();
      this.count--;
      this.lines.delete(client);
      if (line.length > 0) this.lines.set(client, line);
      return first;
    }
    return undefined;
  }

  /** The newest of the client with most places, if that one has more than `length`. */
  newestOfLonger(length: number): T | undefined {
    let newest: T | undefined;
    for (const line of this.lines.values()) {
      if (line.length <= length) continue;
      ({ length } = line);
      newest = line.at(-1);
    }
    return newest;
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
}
