import { type Body, type Sending } from '../transport.js';

/** A file to send. A plain stream can be sent only once; data that can be read twice, or a function that opens the file, allows retries. */
export type Source = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | (() => ReadableStream<Uint8Array>);

export interface Progress {
  bytes: number;
  total?: number;
}

export type OnProgress = (progress: Progress) => void;

/** Only the members used here; Node.js's types do not include XMLHttpRequest. */
declare const XMLHttpRequest: {
  new (): {
    status: number;
    statusText: string;
    response: ArrayBuffer;
    responseType: string;
    upload: { onprogress: (event: { loaded: number }) => void };
    onloadend: () => void;
    open(method: string, url: string): void;
    setRequestHeader(name: string, value: string): void;
    getAllResponseHeaders(): string;
    send(body: Blob): void;
    abort(): void;
  };
};

/** Stands for a body that the transport sends. */
export const SENT_BY_TRANSPORT = undefined as never;

/**
 * Decides how to send a file.
 *
 * @param size size of the file, for a stream or a function
 * @param canXhr whether requests may bypass the caller's `fetch`
 */
export function sendingOf(source: Source, canXhr: boolean, onProgress?: OnProgress, size?: number): Sending {
  // The caller decides how long a large file may take.
  const timeoutMs = Infinity;
  if (source instanceof ReadableStream) return { timeoutMs, once: true, body: () => counted(source, onProgress, size) };
  if (typeof source === 'function') return { timeoutMs, body: () => counted(source(), onProgress, size) };
  const blob = source instanceof Blob ? source : new Blob([source]);
  if (!onProgress) return { timeoutMs, body: () => blob };
  if (canXhr && 'XMLHttpRequest' in globalThis) return { timeoutMs, fetch: (request) => sendByXhr(request, blob, onProgress) };
  return { timeoutMs, body: () => counted(blob.stream(), onProgress, blob.size) };
}

function counted(stream: ReadableStream<Uint8Array>, onProgress?: OnProgress, total?: number): Body {
  if (!onProgress) return stream;
  let bytes = 0;
  const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
    controller.enqueue(chunk);
    bytes += chunk.length;
    onProgress({ bytes, total });
  };
  return stream.pipeThrough(new TransformStream({ transform }));
}

/** A browser's `fetch` does not report upload progress, and only Chromium can stream a request body (over HTTP/2). */
function sendByXhr(request: Request, body: Blob, onProgress: OnProgress): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(request.method, request.url);
    request.headers.forEach((value, name) => xhr.setRequestHeader(name, value));
    xhr.responseType = 'arraybuffer';
    xhr.upload.onprogress = ({ loaded }) => onProgress({ bytes: loaded, total: body.size });
    xhr.onloadend = () => {
      const { status, statusText, response } = xhr;
      if (status === 0) return reject(new TypeError('the connection failed'));
      const lines = xhr.getAllResponseHeaders().trim().split('\r\n');
      const headers = lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
      resolve(new Response(response.byteLength > 0 ? response : null, { status, statusText, headers }));
    };
    request.signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(body);
  });
}
