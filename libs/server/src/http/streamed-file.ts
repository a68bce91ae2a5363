import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { Deadline } from '@fibre/database';
import { Problem, unavailable } from '@fibre/problems';
import type { Request, Response } from 'express';

/** A file that is generated while it is sent. */
export interface StreamedFile {
  readonly mediaType: string;
  /** Suggested file name. */
  readonly name: string;
  /** Converts the bytes into the file. */
  readonly through?: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer | string>;
}

/**
 * Refuses HTTP/1.0, which has no chunks: a client could not tell a file that breaks off from a whole one (RFC 9112 section 6.3).
 *
 * @throws Problem 426
 */
export function requireChunks({ httpVersion }: Request): void {
  if (httpVersion === '1.0') throw httpVersionTooOld();
}

/**
 * Streams a file. A fault before the first byte becomes an error response; after a later one the error filter resets the connection, so
 * that no client mistakes a part of the file for the whole. This also ends at the deadline of the request.
 */
export async function sendBytes(response: Response, file: StreamedFile, bytes: Readable): Promise<void> {
  const signal = Deadline.current?.signal();
  // Rejects if the stream fails first. There is also something to read at the end.
  await once(bytes, 'readable', { signal });
  sendHead(response, file);
  // The response is not a stream of the pipeline, which would close the connection like the end of a whole file.
  const send = async (chunks: AsyncIterable<Buffer | string>): Promise<void> => {
    for await (const chunk of chunks) if (!response.write(chunk)) await once(response, 'drain', { signal });
  };
  try {
    await (file.through ? pipeline(bytes, file.through, send, { signal }) : pipeline(bytes, send, { signal }));
    // Not `once(response, 'finish')`: if the client disconnects at this moment, there is a 'close' and never a 'finish'.
    const sent = finished(response, { signal });
    response.end();
    await sent;
  } catch (error) {
    throw error instanceof Problem ? error : unavailable('The file could not be completed.', error);
  }
}

const httpVersionTooOld = (): Problem =>
  new Problem(426, 'http-version', 'The version of HTTP is too old', {
    detail: 'Over HTTP/1.0, a file that breaks off looks like a whole one.',
    hint: 'Use HTTP/1.1; in nginx: proxy_http_version 1.1.',
    headers: { upgrade: 'HTTP/1.1', connection: 'close, upgrade' },
  });

export const sendHead = (response: Response, { mediaType, name }: StreamedFile): Response =>
  response.set({ 'content-type': mediaType, 'content-disposition': `attachment; filename="${name}"` });
