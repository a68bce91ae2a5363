import { ApiError, FibreError, UnexpectedAnswerError } from './errors.js';
import { reason } from './transport.js';

/** What came back: the record, and the answer that carried it, its body read already. */
export interface Answer<T> {
  data: T;
  response: Response;
}

/** A request under way: await it for the record, or `withResponse()` for status and headers (`etag`, `x-request-id`) too. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call';

  constructor(private readonly answer: Promise<Answer<T>>) {}

  withResponse(): Promise<Answer<T>> {
    return this.answer;
  }

  then<A = T, B = never>(onDone?: ((value: T) => A | PromiseLike<A>) | null, onFailed?: ((error: unknown) => B | PromiseLike<B>) | null) {
    return this.answer.then(({ data }) => data).then(onDone, onFailed);
  }

  catch<B = never>(onFailed?: ((error: unknown) => B | PromiseLike<B>) | null) {
    return this.then(undefined, onFailed);
  }

  finally(onSettled?: (() => void) | null) {
    return this.answer.then(({ data }) => data).finally(onSettled);
  }
}

/** openapi-fetch returns refusals and throws the rest; a call throws both. */
export async function settled<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<Answer<T>> {
  const { data, error, response } = await answer.catch((cause: unknown) => {
    if (cause instanceof FibreError) throw cause;
    throw new UnexpectedAnswerError(`The answer cannot be read: ${reason(cause)}`, { cause });
  });
  if (!response.ok) throw new ApiError(response, error);
  return { data: data as T, response };
}
