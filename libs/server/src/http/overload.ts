import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Deadline, type EndOfWork } from '@fibre/database';
import { isProbe } from '../observe/is-probe.js';
import type { OverloadMetrics } from '../observe/overload-metrics.js';
import { Admission, type Refusal } from './admission.js';
import { rawHeader } from './raw-header.js';
import { refuse } from './refusal.js';
import { whenReceived } from './request-received.js';
import { UnreadAnswers } from './unread-answers.js';

/** What one process takes on (docs/adr/0013-overload.md). */
export interface OverloadLimits {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
  readonly maxUnreadBytes: number;
  readonly slowReaderMs: number;
  readonly deadlineMs: number;
}

/**
 * Stands before everything else that happens to a request: admits it, lets it wait or refuses it before its token is looked at, gives
 * it its deadline, ends its work when its client has gone, and watches over the reading of its answer. Probes and scrapes pass.
 */
export function guardAgainstOverload(server: Server, limits: OverloadLimits, metrics: OverloadMetrics): void {
  const [handle] = server.listeners('request') as [RequestListener];
  const admission = new Admission(limits);
  const unread = new UnreadAnswers({ maxBytes: limits.maxUnreadBytes, stallMs: limits.slowReaderMs }, () => metrics.slowReaderCut());
  metrics.observe({ inFlight: () => admission.inFlight, waiting: () => admission.waiting, unreadBytes: () => unread.bytes });

  server.removeListener('request', handle);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    onAnswered(response, () => unread.watch(response));
    if (isProbe(request.url ?? '')) handle(request, response);
    else whenReceived(request, (isWhole) => admit(request, response, isWhole));
  });

  function admit(request: IncomingMessage, response: ServerResponse, isWhole: boolean): void {
    if (response.destroyed) return;
    const client = rawHeader(request, 'authorization') ?? request.socket.remoteAddress ?? '';
    const refuseFor = (reason: Refusal): void => {
      metrics.refused(reason);
      refuse(request, response, client);
    };
    if (unread.isFull()) return refuseFor('unread-answers');
    if (admission.refuses(client)) return refuseFor('queue-full');
    // It counts from when it is there; until then it takes nothing but a connection.
    if (!isWhole) return work(request, response, client, true);
    if (admission.isOpenTo(client)) {
      admission.enter(client);
      return work(request, response, client);
    }
    const applicant = { client, since: performance.now(), admit: () => work(request, response, client), refuse: refuseFor };
    response.once('close', () => admission.withdraw(applicant));
    admission.wait(applicant);
  }

  function work(request: IncomingMessage, response: ServerResponse, client: string, isComing = false): void {
    const deadline = new Deadline();
    let counts = !isComing;
    const begin = (): void => deadline.allow(limits.deadlineMs);
    const end = (): void => {
      deadline.stop();
      if (counts) admission.leave(client);
      counts = false;
    };
    if (isComing) {
      request.once('end', () => {
        if (response.writableEnded || response.destroyed) return;
        admission.enter(client);
        counts = true;
        begin();
      });
    } else {
      begin();
    }
    deadline.onEnd((reason: EndOfWork) => metrics.cancelled(reason));
    // Once the answer is made the place is free, however slowly the client reads.
    onAnswered(response, end);
    response.once('close', () => {
      if (!response.writableEnded) deadline.end('client-gone');
      end();
    });
    deadline.run(() => handle(request, response));
  }
}

/** Calls back when all of an answer has been handed over. No event tells: a pipelined answer is not finished before those ahead of it. */
function onAnswered(response: ServerResponse, callback: () => void): void {
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  response.end = (...given: unknown[]): ServerResponse => {
    end(...given);
    callback();
    return response;
  };
}
