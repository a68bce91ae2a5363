import { connect } from 'node:net';
import type { OpenAPIObject } from '@nestjs/swagger';

/** An operation that sends a file while it is made, in one format. */
export interface StreamedFile {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly format: string;
}

/** How the server ended the connection: a reset, or the end of the data as after a whole response. */
export interface RawEnd {
  readonly text: string;
  readonly end: 'reset' | 'closed';
}

/** Every operation of a document that returns a file, in each of its formats. */
export const streamedFiles = ({ paths }: OpenAPIObject): StreamedFile[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const { responses, parameters = [] } = item[method] ?? {};
      const success = (responses?.['200'] ?? {}) as { content?: object };
      if (!('text/csv' in (success.content ?? {}))) return [];
      const format = parameters.find((one) => 'name' in one && one.name === 'format') as unknown as { schema: { enum: string[] } };
      return format.schema.enum.map((one) => ({ method, path, format: one }));
    }),
  );

/** Sends a request over a connection of its own, and reads until the server ends it. @param onData called with each part of the response */
export function rawRequest(url: string, head: readonly string[], body = '', onData = (): void => undefined): Promise<RawEnd> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      onData();
    });
    socket.on('error', () => resolve({ text, end: 'reset' }));
    socket.on('end', () => resolve({ text, end: 'closed' }));
    socket.write(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n${body}`);
  });
}
