import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SANE_REQUEST_ID } from '../observe/request-log.js';

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

/** Milliseconds that a connection waits for its refusal when it was told to come back later and is here already. */
const IMPATIENT_MS = 75;

/** When each connection that was refused was told to come back. */
const comesBackAt = new WeakMap<Socket, number>();
let refused = 0;

/**
 * Answers 503 as a problem does, without the framework: under a flood this is what the process does most. At once, unless the
 * connection does not heed `Retry-After`: what it may cost the others is bounded by letting it wait.
 */
export function refuse(request: IncomingMessage, response: ServerResponse): void {
  if ((comesBackAt.get(request.socket) ?? 0) > performance.now()) setTimeout(answer, IMPATIENT_MS, request, response);
  else answer(request, response);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (response.destroyed) return;
  const retryAfter = RETRY_AFTER_SECONDS[refused++ % RETRY_AFTER_SECONDS.length]!;
  comesBackAt.set(request.socket, performance.now() + retryAfter * 1_000);
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : randomUUID();
  const path = (request.url ?? '/').split('?', 1)[0];
  const body = `${BODY_BEGIN},"instance":${JSON.stringify(path)},"request_id":"${id}"}`;
  response.writeHead(503, [
    ...['content-type', 'application/problem+json', 'content-length', String(Buffer.byteLength(body))],
    ...['retry-after', String(retryAfter)],
    ...['x-request-id', id, 'cache-control', 'no-store'],
  ]);
  response.end(body);
}
