import { fileFormat, type FileFormat } from '@fibre/client';
import { fileRefusal, Refusal } from '../../../refusal.js';

/** A file that a person has chosen. */
export interface Source {
  readonly file: File;
  readonly format: FileFormat;
  readonly gzip: boolean;
}

export function sourceOf(file: File): Source | undefined {
  const { format, gzip } = fileFormat(file.name);
  return format && { file, format, gzip };
}

/** The file on disk has changed since it was chosen, so the browser refuses to read it. */
export const fileChanged = (): Refusal =>
  new Refusal(422, {
    code: 'file-changed',
    title: 'The file has changed since you chose it',
    detail: 'Choose it again. Your settings are kept.',
  });

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
