/** A transaction conflicted with others in every attempt. Nothing was written; the caller may retry later. */
export class ContentionError extends Error {
  override readonly name = 'ContentionError';

  constructor(
    readonly attempts: number,
    cause: unknown,
  ) {
    super(`the transaction conflicted with others in all ${attempts} attempts`, { cause });
  }
}
