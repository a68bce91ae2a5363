import { ConnectionError, UnexpectedAnswerError } from '../errors.js';
import { aborted, reason } from '../transport.js';
import { type FileFormat, formatOf } from './file-format.js';
import { type OnProgress } from './upload.js';

/** How a whole file ends. A table always has a heading; a file of lines may have none. */
const ENDS: Record<FileFormat, { end: string; mayBeEmpty?: boolean }> = {
  csv: { end: '\n' },
  tsv: { end: '\n' },
  ndjson: { end: '\n', mayBeEmpty: true },
  geojson: { end: ']}\n' },
};
const LONGEST_END = Math.max(...Object.values(ENDS).map(({ end }) => end.length));

/**
 * The file in a response as a stream. If it breaks off, it fails with the same errors as a call and never looks complete, even if a proxy
 * made the end of the connection look like the end of the file.
 *
 * @throws UnexpectedAnswerError if the response is not a file of the API, but for example the page of a proxy
 */
export function download(
  body: ReadableStream<Uint8Array> | null | undefined,
  { headers }: Response,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): ReadableStream<Uint8Array> {
  const type = headers.get('content-type') ?? 'no media type';
  const format = formatOf(type);
  if (format === undefined) throw new UnexpectedAnswerError(`The response is not a file of this API, but ${type}`);
  const reader: ReadableStreamDefaultReader<Uint8Array> = (body ?? new Blob([]).stream()).getReader();
  let bytes = 0;
  let last = new Uint8Array();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        if (signal?.aborted) throw aborted(signal);
        throw new ConnectionError(`The response broke off after ${bytes} bytes: ${reason(cause)}`, { cause });
      });
      if (done) {
        if (!isWhole(format, last))
          throw new ConnectionError(`The response broke off after ${bytes} bytes: the end of the file is missing`);
        return controller.close();
      }
      bytes += value.length;
      last = joined(last, value.subarray(-LONGEST_END)).subarray(-LONGEST_END);
      onProgress?.({ bytes });
      controller.enqueue(value);
    },
    cancel: (why) => reader.cancel(why),
  });
}

function isWhole(format: FileFormat, last: Uint8Array): boolean {
  const { end, mayBeEmpty = false } = ENDS[format];
  return last.length === 0 ? mayBeEmpty : new TextDecoder().decode(last).endsWith(end);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
