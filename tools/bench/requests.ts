import type { Server } from './running.js';

export interface BenchRequest {
  path: string;
  method?: 'GET' | 'PUT' | 'POST';
  /** JSON. */
  body?: string;
}

/** In a body: an id that nobody has seen before, another one each time that the request is sent under load. */
export const NEW_ID = '{new id}';

export const contentType = ({ body }: BenchRequest): Record<string, string> =>
  body === undefined ? {} : { 'content-type': 'application/json' };

/** Sends one request, not under load. @throws Error when it is answered with another status */
export async function send(
  { url }: Pick<Server, 'url'>,
  request: BenchRequest,
  token: string,
  status = 200,
): Promise<{ body: string; headers: Headers }> {
  const { path, ...init } = request;
  const response = await fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...contentType(request) } });
  const body = await response.text();
  if (response.status !== status) throw new Error(`${path} had to answer ${status}, not ${response.status}: ${body}`);
  return { body, headers: response.headers };
}
