import { malformedRequest, payloadTooLarge, unsupportedMediaType } from '@fibre/problems';
import type { Request, Response } from 'express';
import type { BodyAdmission } from './admission.js';
import { inspectJson } from './json-text.js';
import { type Pace, received, requireMediaType } from './received-body.js';

/** Maximum size of a request body in bytes. */
export const MAX_BODY_BYTES = 1_048_576;
/** A JSON body is small, and is in memory until it is complete. */
const PACE: Pace = { idleMs: 10_000, leastBytes: 65_536, periodMs: 10_000 };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request as one JSON object (RFC 8259).
 *
 * Replaces the framework's body middleware, which runs before the token is checked, accepts invalid UTF-8, and treats an empty body as an
 * empty object. It also decompresses bodies, of which 1 kB can become 1 MiB; here only files may be compressed.
 *
 * @throws Problem 400 not parsable, 408 too slow, 413 over {@link MAX_BODY_BYTES}, 415 not JSON, 503 no slot for the request
 */
export async function readJsonBody(
  request: Request,
  response: Response,
  accepted: readonly string[],
  pace = PACE,
): Promise<Record<string, unknown>> {
  requireMediaType(request, accepted, 'a JSON object');
  const { 'content-encoding': coding = 'identity' } = request.headers;
  if (coding.trim().toLowerCase() !== 'identity') throw unsupportedMediaType(`Content-Encoding ${coding} is not supported.`, accepted);
  const { admission } = request;
  const bytes = await readBytes(request, response, admission, pace);
  await admission?.ready();
  if (bytes.length === 0) throw malformedRequest('The body is empty; it must be a JSON object.');
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformedRequest('The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

async function readBytes(request: Request, response: Response, admission: BodyAdmission | undefined, pace: Pace): Promise<Buffer> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) throw payloadTooLarge(MAX_BODY_BYTES);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of received(request, pace)) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw payloadTooLarge(MAX_BODY_BYTES);
    if (admission?.received(chunk.length) === false) {
      // Reading the rest would cost more than the refusal.
      response.setHeader('connection', 'close');
      throw admission.refusal();
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (error) {
    throw malformedRequest('The body is not valid UTF-8.', error);
  }
  const exact = inspectJson(text);
  try {
    return JSON.parse(exact);
  } catch (error) {
    throw malformedRequest(`The body is not valid JSON: ${(error as Error).message}.`, error);
  }
}
