export type FileFormat = 'csv' | 'tsv' | 'ndjson' | 'geojson';

const MEDIA_TYPES: Record<FileFormat, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  ndjson: 'application/x-ndjson',
  geojson: 'application/geo+json',
};

export const FILE_FORMATS = Object.keys(MEDIA_TYPES) as FileFormat[];

/** Extensions that are not the name of their format. */
const BY_EXTENSION = new Map<string, FileFormat>(Object.entries({ tab: 'tsv', jsonl: 'ndjson', json: 'geojson' } as const));

/** The headers that say what a file is. */
export const describe = (format: FileFormat, gzip = false): Record<string, string> => ({
  'content-type': MEDIA_TYPES[format],
  ...(gzip && { 'content-encoding': 'gzip' }),
});

/** The format of a file with this `Content-Type`. */
export function formatOf(contentType: string): FileFormat | undefined {
  const mediaType = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return FILE_FORMATS.find((format) => MEDIA_TYPES[format] === mediaType);
}

/** Derives the format of a file from its name. */
export function fileFormat(name: string): { format?: FileFormat; gzip: boolean } {
  const lower = name.toLowerCase();
  const gzip = lower.endsWith('.gz');
  const extension = /\.([^./\\]+)$/.exec(gzip ? lower.slice(0, -'.gz'.length) : lower)?.[1] ?? '';
  return { format: BY_EXTENSION.get(extension) ?? FILE_FORMATS.find((format) => format === extension), gzip };
}
