import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SANE_REQUEST_ID } from '../observe/request-log.js';
import { rawHeader } from './raw-header.js';

/** Seconds after which to come back, in turns, so that those who were refused together do not come back together. */
const RETRY_AFTER_SECONDS = [1, 2, 3];

const BODY = {
  type: 'urn:open-access-fibre:problem:unavailable',
  title: 'Temporarily unavailable',
  status: 503,
  detail: 'The service has more requests than it can answer; nothing was done.',
  code: 'unavailable',
  hint: 'Send the same request again.',
};
const BODY_BEGIN = JSON.stringify(BODY).slice(0, -1);

/** Milliseconds after a refusal within which the same client's next request on the connection came at once, whatever `Retry-After` said. */
const AT_ONCE_MS = 150;
/** How often in succession that may be; a pool of connections that runs short also uses one again soon. */
const TIMES = 4;
/** Milliseconds that the refusal after that waits, and most that one waits. Each time it is twice as long. */
const [FIRST_DELAY_MS, LAST_DELAY_MS] = [75, 600];

/** A connection, and who was refused on it how often in succession. */
interface Refused extends Socket {
  lastRefusal?: { readonly client: string; readonly time: number; readonly times: number };
}
let refused = 0;

/**
 * Answers 503 as a problem does, without the framework: under a flood this is what the process does most. At once, unless it was for
 * nothing again and again: what clients can take from the others by coming back at once has a bound.
 */
export function refuse(request: IncomingMessage, response: ServerResponse, client: string): void {
  const socket: Refused = request.socket;
  const last = socket.lastRefusal;
  const now = performance.now();
  const times = last !== undefined && now - last.time < AT_ONCE_MS && last.client === client ? last.times + 1 : 0;
  const delay = times <= TIMES ? 0 : Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** (times - TIMES - 1));
  socket.lastRefusal = { client, time: now + delay, times };
  if (delay === 0) answer(request, response);
  else setTimeout(answer, delay, request, response);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (response.destroyed) return;
  const retryAfter = RETRY_AFTER_SECONDS[refused++ % RETRY_AFTER_SECONDS.length]!;
  const sent = rawHeader(request, 'x-request-id');
  const id = sent !== undefined && SANE_REQUEST_ID.test(sent) ? sent : randomUUID();
  const path = (request.url ?? '/').split('?', 1)[0];
  const body = `${BODY_BEGIN},"instance":${JSON.stringify(path)},"request_id":"${id}"}`;
  response.writeHead(503, [
    ...['content-type', 'application/problem+json', 'content-length', String(Buffer.byteLength(body))],
    ...['retry-after', String(retryAfter)],
    ...['x-request-id', id, 'cache-control', 'no-store'],
  ]);
  response.end(body);
}
