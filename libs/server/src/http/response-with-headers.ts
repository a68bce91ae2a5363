import { entityTag } from '@fibre/dto';

/** A response with more than a body: its own headers, or a status other than the route's. */
export class ResponseWithHeaders<T> {
  /** @param body a string is JSON text; bytes are of the type in `headers`; `undefined` means no body */
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status?: number,
  ) {}

  /**
   * A record with its version.
   *
   * @param createdAt path of the record, if the request created it
   */
  static ofRecord<T>(body: T, version: number, createdAt?: string): ResponseWithHeaders<T> {
    const etag = entityTag(version);
    return createdAt === undefined
      ? new ResponseWithHeaders(body, { etag })
      : new ResponseWithHeaders(body, { etag, location: createdAt }, 201);
  }
}
