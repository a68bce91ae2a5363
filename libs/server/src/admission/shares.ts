/** The largest share that one client may take; the rest is left to other clients. */
const SHARE_OF_ONE_CLIENT = 1 / 2;

/** A limited amount that clients share, such as slots for requests or bytes of bodies. */
export class Shares {
  private sum = 0;
  private readonly taken = new Map<string, number>();
  private readonly limitOfOneClient: number;

  constructor(private readonly limit: number) {
    this.limitOfOneClient = Math.max(1, Math.floor(limit * SHARE_OF_ONE_CLIENT));
  }

  get used(): number {
    return this.sum;
  }

  /** @returns whether there was room; if so, {@link give} must return the amount later */
  take(client: string, amount: number): boolean {
    const own = (this.taken.get(client) ?? 0) + amount;
    if (this.sum + amount > this.limit || own > this.limitOfOneClient) return false;
    this.sum += amount;
    this.taken.set(client, own);
    return true;
  }

  give(client: string, amount: number): void {
    const left = (this.taken.get(client) ?? 0) - amount;
    this.sum -= amount;
    if (left > 0) this.taken.set(client, left);
    else this.taken.delete(client);
  }
}
