import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unavailable } from '@fibre/problems';
import type { Response } from 'express';

/** An answer that is made while it is sent. */
export interface StreamedFile {
  readonly mediaType: string;
  /** That a client saves it under. */
  readonly name: string;
  /** What its bytes go through. */
  readonly through?: readonly Transform[];
}

/**
 * Sends a file as its bytes come. Before the first of them a fault is a refusal like any other; after it the connection breaks, so that nobody
 * takes a part for the whole.
 *
 * @param copy hands over the bytes, and has them to itself until they are sent
 * @param maxMs milliseconds after which the connection breaks
 */
export async function sendFile(
  response: Response,
  { mediaType, name, through = [] }: StreamedFile,
  copy: (consume: (bytes: Readable) => Promise<void>) => Promise<void>,
  maxMs: number,
): Promise<void> {
  const begin = (): unknown => response.set({ 'content-type': mediaType, 'content-disposition': `attachment; filename="${name}"` });
  if (response.req.method === 'HEAD') {
    begin();
    response.end();
    return;
  }
  const signal = AbortSignal.timeout(maxMs);
  await copy(async (bytes) => {
    await begun(bytes);
    begin();
    try {
      await pipeline([bytes, ...through, response], { signal });
    } catch (error) {
      throw unavailable('The file broke off.', error);
    }
  });
}

/** Settles when there is something to read, if only the end. */
const begun = (bytes: Readable): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      bytes.off('readable', settle).off('error', settle);
      if (error) reject(error);
      else resolve();
    };
    bytes.once('readable', settle).once('error', settle);
  });

/** Changes a text in pieces. Each byte is a character of what it gets, so that no piece ends within one. */
export abstract class TextTransform extends Transform {
  /** The next piece of the answer. */
  protected abstract change(text: string): string;
  /** What is left when all has come. */
  protected abstract rest(): string;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, Buffer.from(this.change(chunk.toString('latin1')), 'latin1'));
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.from(this.rest(), 'latin1'));
  }
}

/** Ends the records of a CSV file as RFC 4180 does; PostgreSQL ends them with a line feed. Line feeds in quotes belong to values. */
export class CsvRecords extends TextTransform {
  private isQuoted = false;

  protected change(text: string): string {
    const parts = text.split('"').map((part, index) => {
      if (index > 0) this.isQuoted = !this.isQuoted;
      return this.isQuoted ? part : part.replaceAll('\n', '\r\n');
    });
    return parts.join('"');
  }

  protected rest(): string {
    return '';
  }
}
