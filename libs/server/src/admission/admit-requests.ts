import { type Authentication, callerName } from '@fibre/auth';
import type { Limits } from '@fibre/database';
import { MAX_BODY_BYTES } from '@fibre/body';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { ServerEnv } from '../env/server.env.js';
import { isProbe } from '../http/routes.js';
import { RequestCosts } from './request-costs.js';
import { RequestSlot } from './request-slot.js';

const MEGABYTE = 1024 ** 2;
/**
 * How many requests may wait at once for the issuer, or for room for their bodies. They need little but their connections: Node.js stops
 * reading a body when its buffer is full.
 */
const MAX_IDLE = 1_000;
/** How long a request waits for room for its body. */
const ROOM_WAIT_MS = 2_000;
/** How long a refused request keeps its slot after its response. */
const REFUSAL_MS = 50;
/** How long the rest of a body may take to arrive after the response has been sent. */
const LATE_BODY_MS = 60_000;
/** The clients that requests without a valid token count as. */
const [NO_TOKEN, BAD_TOKEN] = ['no token', 'bad token'];

/**
 * Admits, queues or rejects a request, sets its deadline, and cancels its work when its client disconnects. Probes and scrapes always pass
 * (docs/adr/0013-overload.md).
 *
 * A client is the tenant of a token that has been verified, so a client can't take more by spelling its token differently or by making
 * tokens up: requests with a token that is not known yet first wait for its check.
 */
export function admitRequests(env: ServerEnv, limits: Limits, authentication: Authentication): RequestHandler {
  const costs = new RequestCosts(env.MAX_REQUESTS_IN_FLIGHT);
  const requests = limits.add('requests', {
    amount: env.MAX_REQUESTS_IN_FLIGHT,
    perClient: (client) => costs.slotsOf(client),
    maxWaitMs: env.MAX_REQUEST_WAIT_MS,
    maxWaiting: env.MAX_REQUESTS_WAITING,
  });
  const bodies = limits.add('body bytes', { amount: env.MAX_BODY_MEGABYTES * MEGABYTE });
  // A client can announce bodies and not send them, so what it announces only counts against its own share. It waits for room, because
  // clients that are refused at once come again at once, each with a new connection, and Node.js accepts one in each turn of its event loop.
  const announcements = limits.add('announced body bytes', {
    perClient: (env.MAX_BODY_MEGABYTES * MEGABYTE) / 2,
    maxWaitMs: ROOM_WAIT_MS,
    maxWaiting: MAX_IDLE,
  });
  const unknownKeys = limits.add('tokens with unknown keys', { amount: MAX_IDLE, perClient: MAX_IDLE });
  const requestLimits = { requests, bodies, announcements, deadlineMs: env.REQUEST_DEADLINE_SECONDS * 1_000 };

  const admit = (client: string, request: Request, response: Response, next: NextFunction): void => {
    if (request.socket.destroyed) return;
    // Without a token, only files are served. One slow visitor of the portal must not take the slots of the others.
    const slot = new RequestSlot(requestLimits, client, client === NO_TOKEN ? undefined : costs);
    closeWith(request, response, slot, () => {
      const isRefused = response.statusCode >= 400;
      // Without a response, the client left while it waited.
      const pause = slot.end(isRefused || !response.headersSent);
      // A refusal takes so little time that a client could get thousands a second, and keep a processor busy with them.
      return isRefused ? Math.max(pause, REFUSAL_MS) : pause;
    });
    if (!hasBody(request)) {
      slot.ready().then(() => slot.deadline.run(next), next);
      return;
    }
    request.once('end', () => slot.deadline.start());
    request.admission = slot;
    slot.announce(announcedBytes(request)).then(
      // In the next turn of the event loop, which knows whether the client has disconnected: nobody needs its body read then.
      () => setImmediate(() => request.destroyed || slot.deadline.run(next)),
      (error) => {
        // Reading the body would cost more than the refusal.
        response.setHeader('connection', 'close');
        next(error);
      },
    );
  };

  return (request, response, next) => {
    if (isProbe(request.url)) return next();
    if (request.headers.authorization === undefined) return admit(NO_TOKEN, request, response, next);
    const known = authentication.recall(request);
    if (known) return admit(callerName(known), request, response, next);
    authentication
      .verify(request, response, (wait) => unknownKeys.run('', wait))
      .then((caller) => admit(caller ? callerName(caller) : BAD_TOKEN, request, response, next), next);
  };
}

/** Maximum memory that the body takes. An import is streamed, but uses about as much as a body of its size, up to the limit. */
function announcedBytes({ headers }: Request): number {
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return MAX_BODY_BYTES;
  return Math.min(Number(headers['content-length']), MAX_BODY_BYTES);
}

const hasBody = ({ headers }: Request): boolean => headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * Gives the slot back when the response has been sent or its connection is lost.
 *
 * @param pause how long the slot stays taken after that, in milliseconds
 */
function closeWith(request: Request, response: Response, slot: RequestSlot, pause: () => number): void {
  const { socket } = request;
  const close = (): void => {
    socket.off('close', close);
    response.off('close', close);
    if (!response.writableEnded) slot.deadline.end();
    else if (!request.complete && !socket.destroyed) limitRest(request);
    const ms = pause();
    if (ms > 0) setTimeout(() => slot.close(), ms);
    else setImmediate(() => slot.close());
  };
  response.on('close', close);
  // A pipelined response that is waiting for the one before it is not told that the connection has closed.
  socket.on('close', close);
}

/** Whoever read the body reads and drops the rest, so that the connection can be used again; a rest that does not arrive ends it. */
function limitRest(request: Request): void {
  const { socket } = request;
  const timer = setTimeout(() => socket.destroy(), LATE_BODY_MS).unref();
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('close', stop);
  };
  request.once('close', stop);
  // A request whose response has been sent is not told that its connection has closed.
  socket.once('close', stop);
}
