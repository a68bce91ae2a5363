import { ConnectionError } from '../errors.js';
import { aborted, reason } from '../transport.js';
import { type OnProgress } from './upload.js';

/** The body of a response as a stream. If it breaks off, it fails with the same errors as a call and never looks complete. */
export function download(
  body: ReadableStream<Uint8Array> | null | undefined,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): ReadableStream<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = (body ?? new Blob([]).stream()).getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        if (signal?.aborted) throw aborted(signal);
        throw new ConnectionError(`The response broke off after ${bytes} bytes: ${reason(cause)}`, { cause });
      });
      if (done) return controller.close();
      bytes += value.length;
      onProgress?.({ bytes });
      controller.enqueue(value);
    },
    cancel: (why) => reader.cancel(why),
  });
}
