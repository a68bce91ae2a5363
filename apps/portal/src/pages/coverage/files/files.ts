import { ApiError, type FibreClient, type FileFormat, type ImportQuery, type ImportResult, type OnProgress } from '@fibre/client';
import type { Shown } from '../access-node.js';

export interface Import {
  readonly file: File;
  readonly format: FileFormat;
  readonly gzip: boolean;
  readonly query: ImportQuery;
  /** The same import with the same key is done once, however often it is sent. */
  readonly key: string;
}

/** What became of the rows; strict imports that were refused have kept nothing. */
export type Imported = ImportResult & { readonly isRefused: boolean };

/** The file on the disk is no longer the one that was chosen, so the browser refuses to read it. */
export class FileChanged extends Error {}

/** Sends a file. */
export async function importFile(
  { coverage }: FibreClient,
  { file, format, gzip, query, key }: Import,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Imported> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((cause: unknown) => {
      throw new FileChanged('The file has changed', { cause });
    });
  try {
    const result = await coverage.nodes.import(file, query, { format, gzip, idempotencyKey: key, onProgress, signal });
    return { ...result, isRefused: false };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'import-refused') throw error;
    const { rows, refused } = error.problem;
    if (typeof rows !== 'number' || typeof refused !== 'number') throw error;
    return { rows, refused, created: 0, updated: 0, unchanged: 0, errors: [...error.errors], isRefused: true };
  }
}

/** All nodes that the filters leave. */
export async function exportFile(
  { coverage }: FibreClient,
  format: FileFormat,
  shown: Shown,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Blob> {
  // Texts of the address that the service judges.
  const query = { ...shown, format } as object;
  return new Response(await coverage.nodes.export(query, { onProgress, signal })).blob();
}
