import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unavailable } from '@fibre/problems';
import type { Response } from 'express';
import { TenantLimit } from './tenant-limit.js';

/** A file that is made while it is sent. */
export interface StreamedFile {
  readonly mediaType: string;
  /** That a client saves it under. */
  readonly name: string;
  /** What makes the file of the bytes that are sent. */
  readonly through?: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer | string>;
}

/** Milliseconds that an export waits for the one before it of the same tenant. */
const MAX_WAIT_MS = 5_000;
const exports = new TenantLimit('export', 1, MAX_WAIT_MS);

/**
 * Sends a file of a tenant as its bytes come. Before the first of them a fault is a refusal like any other; after it the connection breaks, so that
 * no client takes a part for the whole.
 *
 * @param copy hands over the bytes, and has them to itself until they are sent
 * @param maxMs milliseconds after which the connection breaks
 */
export async function sendFile(
  response: Response,
  tenant: string,
  { mediaType, name, through }: StreamedFile,
  copy: (consume: (bytes: Readable) => Promise<void>) => Promise<void>,
  maxMs: number,
): Promise<void> {
  const begin = (): unknown => response.set({ 'content-type': mediaType, 'content-disposition': `attachment; filename="${name}"` });
  if (response.req.method === 'HEAD') {
    begin();
    response.end();
    return;
  }
  const consume = async (bytes: Readable): Promise<void> => {
    await firstBytes(bytes);
    begin();
    try {
      await pipeline(through ? through(bytes) : bytes, response, { signal: AbortSignal.timeout(maxMs) });
    } catch (error) {
      throw unavailable('The file broke off.', error);
    }
  };
  await exports.run(tenant, () => copy(consume));
}

/** Settles when there is something to read, if only the end. */
const firstBytes = (bytes: Readable): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      bytes.off('readable', settle).off('error', settle);
      if (error) reject(error);
      else resolve();
    };
    bytes.once('readable', settle).once('error', settle);
  });

/** Ends the records of a CSV file as RFC 4180 does; PostgreSQL ends them with a line feed. Line feeds in quotes belong to values. */
export async function* crlfRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isQuoted = false;
  for await (const chunk of bytes) {
    // Each byte is a character here, so that no piece ends within one.
    const parts = chunk.toString('latin1').split('"');
    const changed = parts.map((part, index) => {
      if (index > 0) isQuoted = !isQuoted;
      return isQuoted ? part : part.replaceAll('\n', '\r\n');
    });
    yield Buffer.from(changed.join('"'), 'latin1');
  }
}
