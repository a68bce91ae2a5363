/** A response with more than a body: its own headers, or a status other than the route's. */
export class ResponseWithHeaders<T> {
  /** @param body a string is JSON text; bytes are of the type in `headers`; `undefined` means no body */
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status?: number,
  ) {}
}
