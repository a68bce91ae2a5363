/** A transaction met others again and again until its attempts ran out. Nothing was written; the caller may try later. */
export class ContentionError extends Error {
  override readonly name = 'ContentionError';

  constructor(
    readonly attempts: number,
    cause: unknown,
  ) {
    super(`the transaction met others in all of its ${attempts} attempts`, { cause });
  }
}
