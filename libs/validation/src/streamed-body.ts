import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { malformedRequest, payloadTooLarge, unsupportedMediaType } from '@fibre/problems';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { requireMediaType } from './media-type.js';

/** A body that the handler reads while it comes in. */
export interface StreamedBody {
  readonly mediaType: string;
  /**
   * The bytes, decompressed. Who stops early may still answer: what else comes is read and dropped.
   *
   * @throws Problem 400 broken off or no valid gzip, 413 over `maxBytes`
   */
  read(maxBytes: number): AsyncGenerator<Buffer>;
}

const bodies = new WeakMap<Request, StreamedBody>();

/** Hands a controller the {@link StreamedBody} of its request; its route has to say `@StreamsBody`. */
export const BodyStream = createParamDecorator((_data: unknown, context: ExecutionContext): StreamedBody =>
  bodies.get(context.switchToHttp().getRequest<Request>())!,
);

/** Whether the handler of a request reads its body while it comes in, so that there is no saying how long that takes. */
export const isStreamed = (request: object): boolean => bodies.has(request as Request);

/** @throws Problem 400 no body, 415 another media type, charset or encoding */
export function admitStream(request: Request, accepted: readonly string[]): void {
  const mediaType = requireMediaType(request, accepted, 'a file');
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw unsupportedMediaType(`The Content-Encoding ${encoding} is not taken; gzip is.`, accepted);
  bodies.set(request, { mediaType, read: (maxBytes) => read(request, encoding === 'gzip', maxBytes) });
}

async function* read(request: Request, isCompressed: boolean, maxBytes: number): AsyncGenerator<Buffer> {
  if (Number(request.headers['content-length']) > maxBytes) throw payloadTooLarge(maxBytes);
  let bytes = 0;
  for await (const chunk of isCompressed ? decompressed(request) : received(request)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw payloadTooLarge(maxBytes);
    yield chunk;
  }
}

/** Decompressed bytes for each compressed one, beyond the first {@link FREE_BYTES}. Tables and JSON come to 5 to 30. */
const MAX_RATIO = 100;
const FREE_BYTES = 4_194_304;

async function* received(request: Request): AsyncGenerator<Buffer> {
  try {
    // Leaving a plain `for await` would end the connection, and with it the answer.
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  } catch (error) {
    throw malformedRequest('The body broke off.', error);
  } finally {
    request.resume();
  }
}

async function* decompressed(request: Request): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let compressedBytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of received(request)) {
      compressedBytes += chunk.length;
      yield chunk;
    }
  }
  // Its errors come out of the iteration.
  pipeline(Readable.from(counted(), { objectMode: false }), gunzip, () => undefined);
  try {
    let bytes = 0;
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      const maxBytes = Math.max(FREE_BYTES, MAX_RATIO * compressedBytes);
      if (bytes > maxBytes) throw payloadTooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') ? malformedRequest(`The body is not valid gzip: ${(error as Error).message}.`, error) : error;
  }
  if (gunzip.bytesWritten < compressedBytes) throw malformedRequest('The body has bytes behind the end of its gzip.');
}
