import { FibreError, fileFormat, type FileFormat, sheetRows } from '@fibre/client';
import { fileRefusal, Refusal } from '../../../../refusal.js';
import { tableOf } from '../../../../ui/csv.js';

/** A file that a person has chosen. */
export interface Source {
  /** What is sent: the file as it is, or as the portal wrote it, because the services only read UTF-8 and no spreadsheets. */
  readonly file: File;
  /** What was chosen, if the portal has written the file. */
  readonly origin?: File;
  readonly format: FileFormat;
  readonly gzip: boolean;
  /** A few words of a file that was not in UTF-8, as the portal has read them. */
  readonly reread?: string;
  /** Whether it was a spreadsheet, which has no format of the services. */
  readonly isSheet?: boolean;
}

/** The browser does not rewrite files larger than this, because it rewrites them in memory. */
const LARGEST_FILE = 100_000_000;
export const isInMemory = ({ size }: Blob): boolean => size <= LARGEST_FILE;

const BEGINS = { zip: [0x50, 0x4b, 3, 4], oldOffice: [0xd0, 0xcf, 0x11, 0xe0], utf16: [0xff, 0xfe], utf16be: [0xfe, 0xff] } as const;

/**
 * What the portal can do with a file; nothing if its format is unknown.
 *
 * @throws Refusal if the file can be read by nobody here, with what to do
 */
export async function sourceOf(file: File): Promise<Source | undefined> {
  const head = new Uint8Array(await bytesOf(file.slice(0, 4)));
  const begins = (kind: keyof typeof BEGINS): boolean => BEGINS[kind].every((byte, index) => head[index] === byte);
  const isSheet = /\.xls[xm]?$/i.test(file.name);
  if (begins('oldOffice')) throw fileRefusal('The file is an old or protected Excel file.', 'Save it as .xlsx, without a password.');
  if (isSheet || (begins('zip') && !/\.gz$/i.test(file.name))) {
    if (isSheet) return sheetSource(file);
    throw fileRefusal('The file is a ZIP archive.', 'Unpack it, and choose the file that is in it.');
  }
  const { format = await formatIn(file), gzip } = fileFormat(file.name);
  if (!format) return undefined;
  const source = { file, format, gzip };
  const isUtf16 = begins('utf16') || begins('utf16be');
  if (gzip || !isInMemory(file)) return source;
  if (isUtf16)
    return { ...source, ...written(file, new TextDecoder(begins('utf16') ? 'utf-16le' : 'utf-16be').decode(await bytesOf(file))) };
  const text = await windowsText(file);
  return text === undefined ? source : { ...source, ...written(file, text), reread: sampleOf(text) };
}

const bytesOf = (blob: Blob): Promise<ArrayBuffer> =>
  blob.arrayBuffer().catch(() => {
    throw fileChanged();
  });

/** A file that the portal has written, in place of the one that was chosen. */
const written = (origin: File, content: BlobPart) => ({
  file: new File([content], origin.name, { lastModified: origin.lastModified }),
  origin,
});

/** A spreadsheet as a table, in which each row is on the line that the spreadsheet shows. */
async function sheetSource(file: File): Promise<Source> {
  if (!isInMemory(file)) throw fileRefusal('The file is too large for the browser.', 'Save it as CSV UTF-8.');
  const rows = await sheetRows(new Uint8Array(await bytesOf(file))).catch((error: unknown) => {
    throw error instanceof FibreError ? fileRefusal(`${error.message}.`, 'Open it in Excel, and save it as .xlsx.') : error;
  });
  const lines: (readonly string[])[] = [];
  for (const { line, cells } of rows) {
    while (lines.length < line - 1) lines.push(['']);
    lines.push(cells);
  }
  // With semicolons, texts such as `48,2085` are numbers for the services too.
  return { ...written(file, tableOf(lines, ';')), format: 'csv', gzip: false, isSheet: true };
}

/** The format of a `.txt` file, which says nothing about it. */
async function formatIn(file: File): Promise<FileFormat | undefined> {
  if (!/\.(txt|asc|dat)$/i.test(file.name)) return undefined;
  const [line = ''] = new TextDecoder().decode(await bytesOf(file.slice(0, 65_536))).split(/[\r\n]/, 1);
  if (/^\s*[{[]/.test(line)) return line.includes('FeatureCollection') ? 'geojson' : 'ndjson';
  return line.includes('\t') ? 'tsv' : 'csv';
}

/**
 * The text of a file that is not in UTF-8 but in the encoding of Windows, as Excel saves a plain CSV file in Western Europe; nothing if
 * the file is in UTF-8, also if it has a fault: then some of its letters are those of UTF-8.
 */
async function windowsText(file: File): Promise<string | undefined> {
  const bytes = await bytesOf(file);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return undefined;
  } catch {
    const lenient = new TextDecoder().decode(bytes);
    // eslint-disable-next-line no-control-regex -- everything beyond ASCII but the sign for bytes that cannot be read
    if (/[^\u0000-\u007f\ufffd]/.test(lenient)) return undefined;
    const text = new TextDecoder('windows-1252').decode(bytes);
    return /[\u0080-\u009f]/.test(text) ? undefined : text;
  }
}

/** The first words that are written otherwise in another encoding. */
function sampleOf(text: string): string {
  const words = text.matchAll(/[^\s;,"]{0,40}[^\0-~][^\r\n;,"\t]{0,40}/g);
  const different = new Set<string>();
  for (const [word] of words) if (different.add(word.trim().slice(0, 40)).size === 3) break;
  return [...different].join(', ');
}

/** The file on disk has changed since it was chosen, so the browser refuses to read it. */
const fileChanged = (): Refusal =>
  new Refusal(422, {
    code: 'file-changed',
    title: 'The file has changed since you chose it',
    detail: 'Choose it again. Your settings are kept.',
  });

/** @throws Refusal if the file on disk has changed since it was chosen, since what was read of it is out of date */
export const checkUnchanged = async ({ file, origin = file }: Source): Promise<void> => void (await bytesOf(origin.slice(0, 1)));

/** A file that cannot be read beyond a line, refused in the words that the service uses. */
export const unreadable = (detail: string, line: number, hint?: string): Refusal => fileRefusal(`The file ${detail}, line ${line}.`, hint);

/**
 * Reads the text of a file.
 *
 * @param most maximum number of characters to return
 * @throws Refusal if the file is not UTF-8: a replacement character would be imported as if someone had written it
 */
export async function textOf({ file, gzip }: Source, most = Infinity): Promise<string> {
  const bytes = gzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const reader: ReadableStreamDefaultReader<Uint8Array> = bytes.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const pieces: BlobPart[] = [];
  let text = '';
  try {
    while (text.length < most) {
      const { done, value } = await reader.read().catch(() => {
        throw fileChanged();
      });
      if (value) pieces.push(value as BlobPart);
      text += decoder.decode(value, { stream: !done });
      if (done) break;
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const [good = ''] = (await new Blob(pieces).text()).split('\ufffd', 1);
    const hint = 'Save the file as UTF-8; in Excel choose the type "CSV UTF-8".';
    throw unreadable('contains bytes that are not UTF-8', good.split('\n').length, hint);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return text.slice(0, most);
}
