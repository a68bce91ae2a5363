import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { finished } from 'node:stream/promises';

/** Sends a file as it comes from the disk. @throws Error when it is answered with another status */
export async function send(url: string, token: string, file: string, status: number): Promise<void> {
  const isCompressed = file.endsWith('.gz');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv', ...(isCompressed && { 'content-encoding': 'gzip' }) };
  const sending = request(url, { method: 'POST', headers });
  // Who refuses a file need not read all of it.
  sending.on('error', () => undefined);
  createReadStream(file).pipe(sending);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const body = await read(response);
  sending.destroy();
  if (response.statusCode !== status)
    throw new Error(`${url} had to answer ${status}, not ${response.statusCode}: ${body.slice(0, 1_000)}`);
}

/** Reads an answer and drops it. */
export async function receive(url: string, token: string): Promise<void> {
  const [response] = (await once(get(url, { headers: { authorization: `Bearer ${token}` } }), 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} had to answer 200, not ${response.statusCode}: ${await read(response)}`);
  await finished(response.resume());
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
