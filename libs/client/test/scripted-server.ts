import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export type Step = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A real HTTP server that sends these responses in order, and then repeats the last one. */
export async function scriptedServer(...steps: Step[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    void steps[Math.min(requests.length, steps.length) - 1]!(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const unavailable = (retryAfter?: string): Step =>
  json(
    503,
    { status: 503, code: 'unavailable', detail: 'Later.', request_id: 'r-1' },
    retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  );

/** Closes the connection without a response. */
export const hangUp: Step = (request) => request.socket.destroy();

/** Closes the connection in the middle of the response. */
export const breakOff: Step = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('[{"node_id":', () => response.destroy());
};
