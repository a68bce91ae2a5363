import { connect } from 'node:net';

/** A response exactly as received. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Sends exact bytes and reads until the server closes the connection, which `head` must request. */
export function exchange(url: string, head: readonly string[], body: string | Buffer = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString())));
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(body);
  });
}

function parse(text: string): RawAnswer {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
  return {
    status: Number(status.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: body.join('\r\n\r\n'),
  };
}
