import { fileRefusal, type Refusal } from '../../../api/refusal.js';

/** The file on disk has changed since it was chosen, so the browser refuses to read it. */
export class FileChanged extends Error {}

/** A file that cannot be read beyond a line, refused in the words that the service uses. */
export const unreadable = (detail: string, line: number, hint?: string): Refusal => fileRefusal(`The file ${detail}, line ${line}.`, hint);

/**
 * Reads the text of a file.
 *
 * @param most maximum number of characters to return
 * @throws Refusal if the file is not UTF-8: a replacement character would be imported as if someone had written it
 */
export async function textOf(file: Blob, gzip: boolean, most = Infinity): Promise<string> {
  const bytes = gzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const reader: ReadableStreamDefaultReader<Uint8Array> = bytes.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** Shows where the fault is, because the other one does not say. */
  const locating = new TextDecoder();
  const pieces: string[] = [];
  const decode = (piece?: Uint8Array): string => {
    const how = { stream: piece !== undefined };
    const lenient = locating.decode(piece, how);
    try {
      return decoder.decode(piece, how);
    } catch {
      const [good = ''] = lenient.split('\ufffd', 1);
      const line = `${pieces.join('')}${good}`.split('\n').length;
      throw unreadable('contains bytes that are not UTF-8', line, 'Save the file as UTF-8; in Excel choose the type "CSV UTF-8".');
    }
  };
  try {
    for (let length = 0; length < most; length += pieces.at(-1)!.length) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new FileChanged('The file cannot be read', { cause });
      });
      pieces.push(decode(value));
      if (done) break;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return pieces.join('').slice(0, most);
}
