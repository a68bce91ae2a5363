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

/** A semicolon anywhere in the header line makes it the separator, as the service decides too. */
const READERS: Record<FileFormat, (head: string) => string[]> = {
  csv: (head) => header(head, head.split(/[\r\n]/, 1)[0]!.includes(';') ? ';' : ','),
  tsv: (head) => header(head, '\t'),
  ndjson: (head) => Object.keys(JSON.parse(head.slice(0, head.indexOf('\n'))) as object),
  geojson: (head) => {
    const { features } = JSON.parse(head) as { features: { properties: object }[] };
    return ['center', ...Object.keys(features[0]!.properties)];
  },
};

const header = (head: string, delimiter: string): string[] =>
  parse(head, { to: 1, bom: true, delimiter, relax_column_count: true, relax_quotes: true })[0] ?? [];

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
