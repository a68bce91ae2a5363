import createClient from 'openapi-fetch';
import type { Configuration } from '../configuration.js';
import { type Session, SignedOut } from '../session/session.js';
import { Refusal, toRefusal } from './refusal.js';
import type { paths as CoveragePaths } from './generated/coverage.js';
import type { paths as EventsPaths } from './generated/events.js';

/** What `openapi-fetch` hands out: on success `data`, else the body of the refusal. */
interface Fetched<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** What came of a request. */
export interface Answer<T> {
  readonly data: T;
  readonly response: Response;
}

/** Typed clients of both APIs, with the token of the session: `await answer(apis.coverage.GET('/v2/cov/nodes', {...}))`. */
export function createApis({ coverage_url, events_url }: Configuration, session: Session) {
  const settings = { fetch: (request: Request) => fetchWithToken(request, session) };
  return {
    coverage: createClient<CoveragePaths>({ ...settings, baseUrl: coverage_url || location.origin }),
    events: createClient<EventsPaths>({ ...settings, baseUrl: events_url || location.origin }),
  };
}

export type Apis = ReturnType<typeof createApis>;

/** The answer of a request. @throws Refusal and nothing else, but for the abort of its signal */
export async function answer<T>(request: Promise<Fetched<T>>): Promise<Answer<T>> {
  const { data, error, response } = await request;
  if (!response.ok) throw toRefusal(response, error);
  return { data: data as T, response };
}

/** Sends a request; once more with another token when this one is refused, which has changed nothing. */
async function fetchWithToken(request: Request, session: Session): Promise<Response> {
  const again = request.clone();
  try {
    const response = await send(request, await session.accessToken());
    if (response.status !== 401) return response;
    return await send(again, await session.renew());
  } catch (error) {
    if (error instanceof SignedOut) throw new Refusal(401);
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    // fetch tells by a TypeError that there was no answer, and no more.
    throw new Refusal(0, { detail: String(error) });
  }
}

function send(request: Request, token: string): Promise<Response> {
  request.headers.set('authorization', `Bearer ${token}`);
  return fetch(request);
}
