import { Agent, request } from 'node:http';
import { ENTITIES, EVENTS } from '../events/events.js';

/** The parts of a response that tests check. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Path and query of the next page, for `get`. */
  readonly next?: string;
}

/**
 * An agent with a timeout drops an idle connection before the server's announced keep-alive time is over. Without a timeout, the agent
 * ignores that time and, on a busy machine, sends a request on a connection that the server has just closed: ECONNRESET.
 */
const agent = new Agent({ keepAlive: true, maxSockets: 1_024, timeout: 30_000 });

/** A simple client for one replica, for tests that send thousands of requests at once. */
export const clientOf = (url: string, token: string, headers: Record<string, string> = {}) => ({
  put: (body: object): Promise<Answer> => send('PUT', `${url}${EVENTS}`, token, headers, JSON.stringify(body)),
  get: (path = ''): Promise<Answer> => send('GET', `${url}${EVENTS}${path}`, token, headers),
  entities: (path = ''): Promise<Answer> => send('GET', `${url}${ENTITIES}${path}`, token, headers),
});

function send(method: string, url: string, token: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method,
        agent,
        headers: {
          ...headers,
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        // The response was cut off in the middle, for example because the service was killed.
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: JSON.parse(Buffer.concat(chunks).toString() || 'null') as unknown,
            next: nextOf(response.headers.link),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const nextOf = (link: string | string[] | undefined): string | undefined => /<[^>]*(\?[^>]*)>; rel=next/.exec(String(link))?.[1];
