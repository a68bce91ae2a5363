import { ApiError, type FibreClient, type PublicNode, type WordsQuery } from '@fibre/client';

/** The nodes whose address has the words of a text. A text that the service does not take as words has none, and numbers alone are no address. */
export async function nodesByWords(fibre: FibreClient, text: string, filters: WordsQuery, signal: AbortSignal): Promise<PublicNode[]> {
  if (!/\p{L}/u.test(text)) return [];
  try {
    return await fibre.coverage.searchAddresses(text, filters, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 422 && error.problem.errors?.every(({ parameter }) => parameter === 'q')) return [];
    throw error;
  }
}
