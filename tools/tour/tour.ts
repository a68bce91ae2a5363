/** A walk through one API as a client meets it. It rejects as soon as something is not as it should be. */
export interface Tour {
  title: string;
  /** Where its data comes from, for the licence's sake. */
  source: string;
  visit(signal: AbortSignal): Promise<void>;
}
