import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

interface HttpParserError extends Error {
  readonly code?: string;
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers what Node's HTTP parser refuses before there is a request: oversized headers, broken framing, slow clients. */
export function answerClientErrors(server: Server): void {
  server.on('clientError', (error: HttpParserError, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = STATUS_BY_CODE[error.code ?? ''] ?? 400;
    const title = STATUS_CODES[status] ?? 'Bad Request';
    const code = title.toLowerCase().replaceAll(' ', '-');
    const id = randomUUID();
    const body = JSON.stringify({
      type: `urn:open-access-fibre:problem:${code}`,
      title,
      status,
      detail: `${title}; the connection is closed.`,
      code,
      request_id: id,
    });
    socket.end(
      `HTTP/1.1 ${status} ${title}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${id}\r\nconnection: close\r\n\r\n${body}`,
    );
  });
}
