import { ApiError, type FibreClient, type PublicNode, type WordsQuery } from '@fibre/client';

/** Whether the service says that there are more nodes than those in its response. */
export const hasMoreIn = ({ headers }: Response): boolean => headers.get('x-more') === 'true';

export interface Named {
  readonly found: readonly PublicNode[];
  /** Whether one more word might find more nodes, or better ones. */
  readonly hasMore: boolean;
}

const NONE: Named = { found: [], hasMore: false };

/** The nodes whose address has the words of a text. A text that the service does not take as words has none, and numbers alone are no address. */
export async function nodesByWords(fibre: FibreClient, text: string, filters: WordsQuery, signal: AbortSignal): Promise<Named> {
  if (!/\p{L}/u.test(text)) return NONE;
  try {
    const { data, response } = await fibre.coverage.searchAddresses(text, filters, { signal }).withResponse();
    return { found: data, hasMore: hasMoreIn(response) };
  } catch (error) {
    if (error instanceof ApiError && error.status === 422 && error.problem.errors?.every(({ parameter }) => parameter === 'q')) return NONE;
    throw error;
  }
}
