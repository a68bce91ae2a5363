import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';

/** Messages of a successful login: authentication ok, a made-up process and key for cancellations, ready. */
const WELCOME = Buffer.from('520000000800000000' + '4b0000000c0000000100000001' + '5a0000000549', 'hex');
const [READY, TERMINATE, IDLE] = [...'ZXI'].map((letter) => letter.charCodeAt(0));
const ROLLBACK = Buffer.concat([Buffer.from('510000000d', 'hex'), Buffer.from('rollback\0')]);
const HEADER_BYTES = 5;

/**
 * A minimal pooler in transaction mode with one server connection. A client keeps that connection from its first message until the server
 * says that no transaction is open; other clients wait.
 */
export async function startSmallPooler(url: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = new pg.Client(url);
  server.on('error', () => undefined);
  await server.connect();
  const { stream } = (server as unknown as { connection: { stream: Socket } }).connection;
  let owner: Socket | undefined;
  const waiting: { client: Socket; message: Buffer }[] = [];
  const next = (): void => {
    const turn = waiting.shift();
    owner = turn?.client;
    if (turn) stream.write(turn.message);
  };

  let unread = Buffer.alloc(0);
  stream.removeAllListeners('data').on('data', (data: Buffer) => {
    unread = Buffer.concat([unread, data]);
    for (let bytes: number; unread.length > HEADER_BYTES && unread.length >= (bytes = 1 + unread.readUInt32BE(1));) {
      const message = unread.subarray(0, bytes);
      unread = unread.subarray(bytes);
      owner?.write(message);
      if (message[0] === READY && message[HEADER_BYTES] === IDLE) next();
    }
  });

  const clients = new Set<Socket>();
  const pooler = createServer((client) => {
    clients.add(client);
    client.once('data', () => {
      client.write(WELCOME);
      client.on('data', (message: Buffer) => {
        if (message[0] === TERMINATE) client.end();
        else if (owner === client) stream.write(message);
        else if (waiting.push({ client, message }) && !owner) next();
      });
    });
    client.on('error', () => undefined);
    // A client's transaction ends with its connection.
    client.on('close', () => clients.delete(client) && owner === client && stream.write(ROLLBACK));
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${(pooler.address() as AddressInfo).port}` }).href,
    stop: async () => {
      for (const client of clients) client.destroy();
      pooler.close();
      stream.destroy();
      await once(pooler, 'close');
    },
  };
}
