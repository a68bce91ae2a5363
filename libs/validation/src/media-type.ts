import type { Request } from 'express';
import { malformedRequest, unsupportedMediaType } from '@fibre/problems';

/**
 * The media type of a body, without its parameters.
 *
 * @param needed what the body has to be, for who sends none
 * @throws Problem 400 no body, 415 another media type or charset
 */
export function requireMediaType(request: Request, accepted: readonly string[], needed: string): string {
  const header = request.headers['content-type'];
  const isEmpty =
    request.headers['content-length'] === '0' || (!request.headers['content-length'] && !request.headers['transfer-encoding']);
  if (header === undefined) {
    if (isEmpty) throw malformedRequest(`The body is empty; ${needed} is needed.`);
    throw unsupportedMediaType('The body has no Content-Type.', accepted);
  }
  const [mediaType = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (!accepted.includes(mediaType)) throw unsupportedMediaType(`${mediaType || 'An empty Content-Type'} is not taken here.`, accepted);
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupportedMediaType(`The charset ${charset} is not taken; ${mediaType} is UTF-8 here.`, accepted);
  }
  return mediaType;
}
