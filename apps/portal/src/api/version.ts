import type { Call } from '@fibre/client';

/** A version of a record, with its entity tag. */
export interface Version<R> {
  readonly record: R;
  readonly etag: string;
}

export async function versionOf<R>(call: Call<R>): Promise<Version<R>> {
  const { data, response } = await call.withResponse();
  return { record: data, etag: response.headers.get('etag') ?? '*' };
}
