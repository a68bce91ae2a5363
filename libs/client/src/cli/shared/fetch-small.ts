import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { buffer } from 'node:stream/consumers';

/**
 * Does what `fetch` does, for bodies that fit in memory, with less processor time for each request, which matters for many events.
 */
export async function fetchSmall(request: Request): Promise<Response> {
  const { method, url, signal } = request;
  const sent = await request.text();
  const { request: open } = url.startsWith('https:') ? https : http;
  const outgoing = open(url, { method, signal, headers: Object.fromEntries(request.headers) });
  // Without a listener, an error after the head of the response would end the process; the body below fails too.
  outgoing.on('error', () => undefined);
  const [incoming] = (await once(outgoing.end(sent), 'response')) as [http.IncomingMessage];
  const body = await buffer(incoming);
  const { statusCode: status, statusMessage: statusText } = incoming;
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(body.length > 0 ? body.toString() : null, { status, statusText, headers });
}
