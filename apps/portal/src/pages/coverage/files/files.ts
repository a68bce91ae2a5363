import { ApiError, type FibreClient, type ImportOptions, type ImportQuery, type ImportResult } from '@fibre/client';

/** What happened to the rows or, if the import was refused, what would have happened to them; a refused import has stored nothing. */
export type Imported = ImportResult & {
  readonly isRefused: boolean;
  /** Whether it was refused because it would delete too many of the relation's nodes. */
  readonly isGuarded: boolean;
};

/** Sends a file. */
export async function importFile({ coverage }: FibreClient, file: Blob, query: ImportQuery, options: ImportOptions): Promise<Imported> {
  try {
    const result = await coverage.nodes.import(file, query, options);
    return { ...result, isRefused: false, isGuarded: false };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const report = reportOf(error);
    if (!report) throw error;
    return { ...report, isRefused: true, isGuarded: error.code === 'too-many-deletions' };
  }
}

/** The counts that the service sends with a refusal; nothing if it could not read the rows. */
function reportOf({ code, problem, errors }: ApiError): ImportResult | undefined {
  const isAboutRows = code === 'import-refused' || code === 'too-many-deletions';
  return isAboutRows && 'refused_lines' in problem ? { ...(problem as unknown as ImportResult), errors: [...errors] } : undefined;
}

/** The number of nodes that the relation has now, if the file has to name all of them. */
export const presentNodes = ({ updated, unchanged, deleted }: Imported): number => updated + unchanged + deleted;
