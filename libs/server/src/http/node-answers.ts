import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { malformedRequest, Problem } from '@fibre/problems';
import type { Logger } from 'pino';

interface ClientError extends Error {
  readonly code?: string;
}

/** The answer that is on its way on a connection. Node has the same look at it before it answers by itself. */
type Connection = Duplex & { readonly _httpMessage?: ServerResponse };

const CLOSED = 'the connection is closed.';
const unreadable = (status: number, code: string, detail: string): Problem =>
  new Problem({ status, code, title: STATUS_CODES[status] ?? '', detail: `${detail}; ${CLOSED}` });

const PROBLEM_BY_ERROR: Readonly<Record<string, Problem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: unreadable(408, 'request-timeout', 'The request took too long to arrive'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: unreadable(413, 'payload-too-large', 'The chunk extensions are too large'),
  HPE_HEADER_OVERFLOW: unreadable(431, 'request-header-fields-too-large', 'The headers are too large'),
  HPE_INVALID_VERSION: unreadable(505, 'http-version-not-supported', 'HTTP 1.1 and 1.0 are spoken here'),
};

/**
 * Gives what Node answers by itself, without a body and without the application, the form of every other refusal and a line in
 * the log: what is no HTTP, what is too large or too slow, an expectation that nobody can meet, a request to be a proxy.
 */
export function answerInsteadOfNode(server: Server, logger: Logger): void {
  const refuse = (socket: Duplex, problem: Problem, details: Record<string, unknown>): void => {
    const id = randomUUID();
    const { status, code } = problem;
    logger.info({ request_id: id, status, code, ...details }, `refused before it was a request: ${status}`);
    socket.end(rawAnswer(problem, id));
  };
  server.on('clientError', (error: ClientError, socket: Connection) => {
    // Nobody is there, or they are in the middle of another answer.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
    const problem = PROBLEM_BY_ERROR[error.code ?? ''] ?? malformedRequest(`What came is no HTTP request; ${CLOSED}`);
    refuse(socket, problem, { reason: error.message });
  });
  server.on('connect', ({ method, url }: IncomingMessage, socket: Duplex) =>
    refuse(socket, malformedRequest(`CONNECT asks for a proxy, and this is none; ${CLOSED}`), { method, path: url }),
  );
  // Refused where every request passes, with the id and the line that all of them have: see refuseBadHead.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response));
}

function rawAnswer(problem: Problem, id: string): string {
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
