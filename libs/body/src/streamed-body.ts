import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { malformedRequest, payloadTooLarge, unsupportedMediaType } from '@fibre/problems';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Pace, received, requireMediaType } from './received-body.js';

/** A slow line is no fault, but a client must not hold a turn with a drip: 1 KiB a minute, over five minutes. */
const PACE: Pace = { idleMs: 60_000, leastBytes: 5 * 1_024, periodMs: 300_000 };

/** A body that the handler reads as it arrives. */
export interface StreamedBody {
  readonly mediaType: string;
  /**
   * The decompressed bytes. A handler may stop reading early and still respond: the rest is read and dropped.
   *
   * @throws Problem 400 incomplete or invalid gzip, 408 too slow, 413 over `maxBytes` or a hundred times the compressed size
   */
  read(maxBytes: number): AsyncGenerator<Buffer>;
}

const bodies = new WeakMap<Request, StreamedBody>();

export const bodyOf = (request: Request): StreamedBody => bodies.get(request)!;

/** Passes the {@link StreamedBody} of a request to its handler; the route needs `@StreamsBody`. */
export const BodyStream = createParamDecorator((_data: unknown, context: ExecutionContext): StreamedBody =>
  bodyOf(context.switchToHttp().getRequest<Request>()),
);

/** @throws Problem 400 no body, 415 another media type, charset or encoding */
export function admitStream(request: Request, accepted: readonly string[], pace = PACE): void {
  const mediaType = requireMediaType(request, accepted, 'a file');
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  // x-gzip is another name for gzip (RFC 9110 section 8.4.1.3).
  const isGzip = encoding === 'gzip' || encoding === 'x-gzip';
  if (encoding !== 'identity' && !isGzip) throw unsupportedMediaType(`Content-Encoding ${encoding} is not supported; gzip is.`, accepted);
  bodies.set(request, { mediaType, read: (maxBytes) => read(request, isGzip, maxBytes, pace) });
}

async function* read(request: Request, isCompressed: boolean, maxBytes: number, pace: Pace): AsyncGenerator<Buffer> {
  if (Number(request.headers['content-length']) > maxBytes) throw payloadTooLarge(maxBytes);
  let bytes = 0;
  for await (const chunk of isCompressed ? decompressed(request, pace) : received(request, pace)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw payloadTooLarge(maxBytes);
    yield chunk;
  }
}

/** Maximum number of decompressed bytes per compressed byte, after the first {@link FREE_BYTES}. Tables and JSON reach 5 to 30. */
const MAX_RATIO = 100;
const FREE_BYTES = 4_194_304;
const TOO_COMPRESSED = `a hundred times its compressed size for a body of more than ${FREE_BYTES} bytes`;

async function* decompressed(request: Request, pace: Pace): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let compressedBytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of received(request, pace)) {
      compressedBytes += chunk.length;
      yield chunk;
    }
  }
  // The iteration throws the pipeline's errors.
  pipeline(Readable.from(counted(), { objectMode: false }), gunzip, () => undefined);
  try {
    let bytes = 0;
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > Math.max(FREE_BYTES, MAX_RATIO * compressedBytes)) throw payloadTooLarge(TOO_COMPRESSED);
      yield chunk;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') ? malformedRequest(`The body is not valid gzip: ${(error as Error).message}.`, error) : error;
  }
  if (gunzip.bytesWritten < compressedBytes) throw malformedRequest('The body has bytes after the end of the gzip data.');
}
