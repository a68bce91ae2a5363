import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem, unavailable } from '@fibre/problems';
import type { Response } from 'express';
import { TenantLimit } from './tenant-limit.js';

/** A file that is generated while it is sent. */
export interface StreamedFile {
  readonly mediaType: string;
  /** Suggested file name. */
  readonly name: string;
  /** Converts the bytes into the file. */
  readonly through?: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer | string>;
}

/** Milliseconds that an export waits for the tenant's previous one. */
const MAX_WAIT_MS = 5_000;
const exports = new TenantLimit('export', 1, MAX_WAIT_MS);

/**
 * Streams a file of a tenant, one file at a time; see {@link sendBytes}.
 *
 * @param copy passes on the bytes, each valid until it is sent
 * @param maxMs milliseconds after which the connection closes
 */
export async function sendFile(
  response: Response,
  tenant: string,
  file: StreamedFile,
  copy: (consume: (bytes: Readable) => Promise<void>) => Promise<void>,
  maxMs: number,
): Promise<void> {
  if (response.req.method === 'HEAD') {
    begin(response, file);
    response.end();
    return;
  }
  await exports.run(tenant, () => copy((bytes) => sendBytes(response, file, bytes, maxMs)));
}

/**
 * Streams a file. A fault before the first byte becomes an error response; after it the connection closes, so that no client mistakes a part for
 * the whole.
 */
export async function sendBytes(response: Response, file: StreamedFile, bytes: Readable, maxMs: number): Promise<void> {
  await firstBytes(bytes);
  begin(response, file);
  try {
    await pipeline(file.through ? file.through(bytes) : bytes, response, { signal: AbortSignal.timeout(maxMs) });
  } catch (error) {
    throw error instanceof Problem ? error : unavailable('The file could not be completed.', error);
  }
}

const begin = (response: Response, { mediaType, name }: StreamedFile): unknown =>
  response.set({ 'content-type': mediaType, 'content-disposition': `attachment; filename="${name}"` });

/** Resolves when there is something to read, or the end. */
const firstBytes = (bytes: Readable): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      bytes.off('readable', settle).off('error', settle);
      if (error) reject(error);
      else resolve();
    };
    bytes.once('readable', settle).once('error', settle);
  });

/** Ends CSV records with CRLF (RFC 4180); PostgreSQL uses LF. Line feeds in quotes belong to values. */
export async function* crlfRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isQuoted = false;
  for await (const chunk of bytes) {
    // One character per byte, so that no piece ends within a character.
    const parts = chunk.toString('latin1').split('"');
    const changed = parts.map((part, index) => {
      if (index > 0) isQuoted = !isQuoted;
      return isQuoted ? part : part.replaceAll('\n', '\r\n');
    });
    yield Buffer.from(changed.join('"'), 'latin1');
  }
}
