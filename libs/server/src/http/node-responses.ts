import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { malformedRequest, Problem, requestTimeout } from '@fibre/problems';
import type { Logger } from 'pino';

interface ClientError extends Error {
  readonly code?: string;
}

const CLOSED = 'the connection is closed.';
const unreadable = (status: number, code: string, detail: string): Problem =>
  new Problem({ status, code, title: STATUS_CODES[status] ?? '', detail: `${detail}; ${CLOSED}` });

const PROBLEM_BY_ERROR: Readonly<Record<string, Problem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout(),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: unreadable(413, 'payload-too-large', 'The chunk extensions are too large'),
  HPE_HEADER_OVERFLOW: unreadable(431, 'request-header-fields-too-large', 'The headers are too large'),
  HPE_INVALID_VERSION: unreadable(505, 'http-version-not-supported', 'Only HTTP 1.1 and 1.0 are supported'),
};

/**
 * Node itself responds, without a body and without involving the application, to bytes that aren't HTTP, to headers that are too large or
 * arrive too slowly, to an unknown expectation, and to a proxy request. This turns those responses into problems like any other, with a
 * line in the log.
 */
export function respondInsteadOfNode(server: Server, logger: Logger): void {
  const refuse = (socket: Duplex, problem: Problem, details: Record<string, unknown>): void => {
    const id = randomUUID();
    const { status, code } = problem;
    logger.info({ request_id: id, status, code, ...details }, `rejected before it became a request: ${status}`);
    socket.end(rawResponse(problem, id));
  };
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => void responses.set(socket, response));
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    const response = responses.get(socket);
    const isInResponse = response?.headersSent && !response.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || isInResponse) return void socket.destroy();
    const problem = PROBLEM_BY_ERROR[error.code ?? ''] ?? malformedRequest(`The request is not valid HTTP; ${CLOSED}`);
    refuse(socket, problem, { reason: error.message });
  });
  server.on('connect', ({ method, url }: IncomingMessage, socket: Duplex) =>
    refuse(socket, malformedRequest(`CONNECT needs a proxy, and this server isn't one; ${CLOSED}`), { method, path: url }),
  );
  // refuseBadHead rejects such a request, with the usual id and log line.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response));
}

function rawResponse(problem: Problem, id: string): string {
  const body = JSON.stringify(problem.toBody(undefined, id));
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `date: ${new Date().toUTCString()}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${id}`,
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
