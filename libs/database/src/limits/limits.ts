import { Limit, type LimitOptions } from './limit.js';

/** The limits of one process, by name, for its metrics. */
export class Limits implements Iterable<Limit> {
  private readonly all = new Map<string, Limit>();

  add(name: string, options: LimitOptions): Limit {
    if (this.all.has(name)) throw new Error(`there is already a limit on ${name}`);
    const limit = new Limit(name, options);
    this.all.set(name, limit);
    return limit;
  }

  [Symbol.iterator](): Iterator<Limit> {
    return this.all.values();
  }
}
