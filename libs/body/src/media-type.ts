import type { Request } from 'express';
import { malformedRequest, unsupportedMediaType } from '@fibre/problems';

/**
 * The media type of a body, without its parameters.
 *
 * @param needed what the body must be, for the error message if there is no body
 * @throws Problem 400 no body, 415 another media type or charset
 */
export function requireMediaType(request: Request, accepted: readonly string[], needed: string): string {
  const header = request.headers['content-type'];
  const isEmpty =
    request.headers['content-length'] === '0' || (!request.headers['content-length'] && !request.headers['transfer-encoding']);
  if (header === undefined) {
    if (isEmpty) throw malformedRequest(`The body is empty; it must be ${needed}.`);
    throw unsupportedMediaType('The body has no Content-Type.', accepted);
  }
  const [mediaType = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (!accepted.includes(mediaType))
    throw unsupportedMediaType(mediaType ? `Content-Type ${mediaType} is not supported.` : 'Content-Type is empty.', accepted);
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupportedMediaType(`Charset ${charset} is not supported; ${mediaType} must be UTF-8.`, accepted);
  }
  return mediaType;
}
