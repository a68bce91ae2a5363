/** A response that needs more than a body: headers that depend on the record, or another status than the route's. */
export class ResponseWithHeaders<T> {
  /** @param body a string is JSON text already; bytes are of the type that `headers` name; `undefined` is no body */
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status?: number,
  ) {}
}
