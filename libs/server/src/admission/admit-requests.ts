import { Deadline, type EndOfWork } from '@fibre/database';
import { type Problem, unavailable } from '@fibre/problems';
import { admissions, MAX_BODY_BYTES } from '@fibre/validation';
import type { Request, RequestHandler } from 'express';
import { Counter, type Registry } from 'prom-client';
import type { ServerEnv } from '../env/server.env.js';
import { gauge } from '../observe/gauge.js';
import { isProbe } from '../observe/is-probe.js';
import { Admission, type Refusal } from './admission.js';
import { Shares } from './shares.js';

const MEGABYTE = 1024 ** 2;
/** How long the rest of a body may take to arrive after the response has been sent. */
const LATE_BODY_MS = 60_000;

const tooManyRequests = (): Problem => unavailable('The service has too many requests at the moment; nothing was done.');

/**
 * Admits, queues or rejects a request before its token is verified, sets its deadline, and cancels its work when its client disconnects.
 * Probes and scrapes always pass (docs/adr/0013-overload.md).
 *
 * A request with a body gets its slot when the body has arrived, so that a slow sender does not hold a slot; from the start, the bytes of
 * the body count against a separate limit.
 */
export function admitRequests(env: ServerEnv, registry: Registry): RequestHandler {
  const admission = new Admission({ maxInFlight: env.MAX_REQUESTS_IN_FLIGHT, maxWaiting: env.MAX_REQUESTS_WAITING });
  const bodies = new Shares(env.MAX_BODY_MEGABYTES * MEGABYTE);
  const deadlineMs = env.REQUEST_DEADLINE_SECONDS * 1_000;
  gauge(registry, 'http_requests_in_flight', 'Requests in progress', () => admission.inFlight);
  gauge(registry, 'http_requests_waiting', 'Requests waiting for a slot', () => admission.waiting);
  gauge(registry, 'http_body_bytes', 'Bytes of request bodies in memory, announced or received', () => bodies.used);
  const countRefusal = counterBy<Refusal | 'body-bytes'>(
    registry,
    'http_requests_refused_total',
    'Requests rejected with 503 because of overload',
    ['queue-full', 'queue-timeout', 'body-bytes'],
  );
  const countCancellation = counterBy<EndOfWork>(
    registry,
    'http_requests_cancelled_total',
    'Requests whose work was cancelled at their deadline or because their client disconnected',
    ['deadline', 'client-gone'],
  );

  return (request, response, next) => {
    if (isProbe(request.url)) return next();
    const { socket } = request;
    const client = request.headers.authorization ?? socket.remoteAddress ?? '';
    const refusal = (reason: Refusal | 'body-bytes'): Problem => {
      countRefusal(reason);
      return tooManyRequests();
    };
    const bytes = bytesOfBody(request);
    if (!bodies.take(client, bytes)) return next(refusal('body-bytes'));

    const deadline = new Deadline();
    deadline.onEnd(countCancellation);
    let leave = (): void => undefined;
    const enter = (onTurn: (refused?: Problem) => void): void => {
      leave = admission.enter(client, (reason) => {
        if (!reason) deadline.allow(deadlineMs);
        onTurn(reason && refusal(reason));
      });
    };
    let isClosed = false;
    const close = (): void => {
      if (isClosed) return;
      isClosed = true;
      socket.off('close', close);
      if (!response.writableEnded) deadline.end('client-gone');
      else if (!request.complete) setTimeout(() => request.complete || socket.destroy(), LATE_BODY_MS).unref();
      deadline.stop();
      // The slot is given back in the next turn of the event loop; otherwise a client whose requests are rejected immediately could fill a
      // whole turn with them.
      setImmediate(leave);
      bodies.give(client, bytes);
    };
    response.once('close', close);
    // A pipelined response that is waiting for the one before it is not told that the connection has closed.
    socket.once('close', close);

    if (bytes === 0) return enter((refused) => (refused ? next(refused) : deadline.run(next)));
    request.once('end', () => deadline.allow(deadlineMs));
    admissions.set(request, () => new Promise((resolve, reject) => enter((refused) => (refused ? reject(refused) : resolve()))));
    deadline.run(next);
  };
}

/**
 * Maximum memory, in bytes, that the body takes until it is parsed. An import is streamed, but uses about as much memory as a body of its
 * size, up to the limit.
 */
function bytesOfBody({ headers }: Request): number {
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return MAX_BODY_BYTES;
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES);
}

/** Counts by reason; the count of each reason is exported even while it is zero. */
function counterBy<Reason extends string>(registry: Registry, name: string, help: string, reasons: readonly Reason[]) {
  const counter = new Counter({ name, help, labelNames: ['reason'], registers: [registry] });
  for (const reason of reasons) counter.inc({ reason }, 0);
  return (reason: Reason): void => counter.inc({ reason });
}
