import type { FileFormat } from '@fibre/client';
import { parse } from 'csv-parse/browser/esm/sync';

/** So much of a file is looked at, bytes. */
const HEAD = 65_536;

/** The names of the columns of a file, or none where its beginning does not tell: the service does then. */
export async function columnsOf(file: Blob, format: FileFormat, gzip: boolean): Promise<string[]> {
  try {
    const head = await headOf(file, gzip);
    const columns = READERS[format](head);
    return columns.map((name) => name.trim());
  } catch {
    return [];
  }
}

const READERS: Record<FileFormat, (head: string) => string[]> = {
  csv: (head) => header(head, [',', ';']),
  tsv: (head) => header(head, ['\t']),
  ndjson: (head) => Object.keys(JSON.parse(head.slice(0, head.indexOf('\n'))) as object),
  geojson: (head) => {
    const { features } = JSON.parse(head) as { features: { properties: object }[] };
    return ['center', ...Object.keys(features[0]!.properties)];
  },
};

/** As the service does: the separator is the one that the header has more of. */
function header(head: string, separators: readonly string[]): string[] {
  const readings = separators.map(
    (delimiter) => parse(head, { to: 1, bom: true, delimiter, relax_column_count: true, relax_quotes: true })[0] ?? [],
  );
  return readings.reduce((one, other) => (other.length > one.length ? other : one));
}

async function headOf(file: Blob, gzip: boolean): Promise<string> {
  // Whole lines, and whole small files.
  const bytes = gzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const reader: ReadableStreamDefaultReader<Uint8Array> = bytes.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
    if (text.length >= HEAD) {
      await reader.cancel();
      return text;
    }
  }
}
