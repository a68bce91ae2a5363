import express, { type Request, type Response } from 'express';
import { admissions } from './admission.js';
import { inspectJson } from './json-text.js';
import { requireMediaType } from './media-type.js';
import { malformedRequest, payloadTooLarge, requestTimeout, unsupportedMediaType } from '@fibre/problems';

/** Maximum size of a request body in bytes, decompressed. */
export const MAX_BODY_BYTES = 1_048_576;
/** A body must arrive at this rate: this many bytes, or its end, in each of these times. */
export const LEAST_BYTES = 65_536;
const LEAST_BYTES_WITHIN_MS = 10_000;

const readBytes = express.raw({ type: () => true, limit: MAX_BODY_BYTES });
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request as one JSON object (RFC 8259).
 *
 * Replaces the framework's body middleware, which runs before the token is checked, accepts invalid UTF-8 and treats an empty body as an
 * empty object.
 *
 * @throws Problem 400 not parsable, 408 too slow, 413 over {@link MAX_BODY_BYTES}, 415 not JSON, 503 no slot for the request
 */
export async function readJsonBody(
  request: Request,
  response: Response,
  accepted: readonly string[],
  withinMs = LEAST_BYTES_WITHIN_MS,
): Promise<Record<string, unknown>> {
  requireMediaType(request, accepted, 'a JSON object');
  // x-gzip is another name for gzip (RFC 9110 section 8.4.1.3), which body-parser does not know.
  if (request.headers['content-encoding']?.toLowerCase() === 'x-gzip') request.headers['content-encoding'] = 'gzip';
  const bytes = await readRequest(request, response, accepted, withinMs);
  await admissions.get(request)?.ready();
  if (bytes.length === 0) throw malformedRequest('The body is empty; it must be a JSON object.');
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformedRequest('The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** What body-parser adds to its errors. */
interface BodyParserError extends Error {
  readonly type?: string;
}

function readRequest(request: Request, response: Response, accepted: readonly string[], withinMs: number): Promise<Buffer> {
  const admission = admissions.get(request);
  return new Promise((resolve, reject) => {
    let [arrived, inTime] = [0, 0];
    const count = (bytes: number): void => {
      if (!admission || admission.received(bytes)) return;
      request.off('data', onData);
      // Reading the rest would cost more than the refusal.
      response.setHeader('connection', 'close');
      reject(admission.refusal());
    };
    const onData = (chunk: Buffer): void => {
      arrived += chunk.length;
      inTime += chunk.length;
      if (inTime >= LEAST_BYTES) {
        inTime = 0;
        timer.refresh();
      }
      count(chunk.length);
    };
    const timer = setTimeout(() => reject(requestTimeout()), withinMs);
    request.on('data', onData);
    readBytes(request, response, (error?: unknown) => {
      clearTimeout(timer);
      request.off('data', onData);
      if (!error) {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        if (body.length > arrived) count(body.length - arrived);
        return resolve(body);
      }
      const { type, message } = error as BodyParserError;
      if (type === 'entity.too.large') return reject(payloadTooLarge(MAX_BODY_BYTES));
      if (type === 'encoding.unsupported') return reject(unsupportedMediaType(`${message}.`, accepted));
      reject(malformedRequest('The body could not be read completely.', error));
    });
  });
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
