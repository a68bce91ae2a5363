import { ApiError, type FibreClient, type ImportOptions, type ImportQuery, type ImportResult } from '@fibre/client';
import { fileChanged } from './source.js';

/** What happened to the rows; a rejected strict import has stored nothing. */
export type Imported = ImportResult & { readonly isRefused: boolean };

/** Sends a file. */
export async function importFile({ coverage }: FibreClient, file: Blob, query: ImportQuery, options: ImportOptions): Promise<Imported> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw fileChanged();
    });
  try {
    const result = await coverage.nodes.import(file, query, options);
    return { ...result, isRefused: false };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'import-refused') throw error;
    const { rows, refused } = error.problem;
    if (typeof rows !== 'number' || typeof refused !== 'number') throw error;
    return {
      rows,
      refused,
      created: 0,
      updated: 0,
      unchanged: 0,
      deleted: 0,
      refused_lines: [],
      errors: [...error.errors],
      isRefused: true,
    };
  }
}
