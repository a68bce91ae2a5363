import { ApiError, FibreError, UnexpectedAnswerError } from './errors.js';
import { reason } from './transport.js';

/** The record and its response, whose body has already been read. */
export interface Answer<T> {
  data: T;
  response: Response;
  /** Whether there may be other, or better, records than these: another word of an address may find them. */
  hasMore: boolean;
}

/** A running request: await it to get the record, or use `withResponse()` to also get status and headers (`etag`, `x-request-id`) and `hasMore`. */
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

/** What openapi-fetch returns. */
export type Fetched<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** openapi-fetch returns error responses and throws other errors; a call throws both. */
export async function settled<T>(answer: Fetched<T>): Promise<Answer<T>> {
  const { data, error, response } = await answer.catch((cause: unknown) => {
    if (cause instanceof FibreError) throw cause;
    throw new UnexpectedAnswerError(`The response cannot be read: ${reason(cause)}`, { cause });
  });
  if (!response.ok) throw new ApiError(response, error);
  return { data: data as T, response, hasMore: response.headers.get('x-more') === 'true' };
}
