import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Deadline } from '@fibre/database';
import { Problem, unavailable } from '@fibre/problems';
import type { Response } from 'express';

/** A file that is generated while it is sent. */
export interface StreamedFile {
  readonly mediaType: string;
  /** Suggested file name. */
  readonly name: string;
  /** Converts the bytes into the file. */
  readonly through?: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer | string>;
}

/**
 * Streams a file. A fault before the first byte becomes an error response; a later fault closes the connection, so that no client mistakes
 * a part of the file for the whole.
 * The connection also closes at the deadline of the request.
 */
export async function sendBytes(response: Response, file: StreamedFile, bytes: Readable): Promise<void> {
  // Rejects if the stream fails first. There is also something to read at the end.
  await once(bytes, 'readable');
  sendHead(response, file);
  // pipeline adds 'close' listeners to those of the log, the metrics and the admission queue, and Node.js would warn of a leak if there
  // were more than ten.
  response.setMaxListeners(20);
  try {
    await pipeline(file.through ? file.through(bytes) : bytes, response, { signal: Deadline.current?.signal() });
  } catch (error) {
    throw error instanceof Problem ? error : unavailable('The file could not be completed.', error);
  }
}

export const sendHead = (response: Response, { mediaType, name }: StreamedFile): Response =>
  response.set({ 'content-type': mediaType, 'content-disposition': `attachment; filename="${name}"` });
