import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { BENCH_DIR } from '../bench/setup/service.js';

/** What tenants' webhooks lead to. */
export interface Receivers {
  /** Address and port of a name server that never answers. */
  nameServer: string;
  /** URL of a receiver that sends interim responses until the connection is closed. */
  endless: string;
  /** URL of a receiver that accepts every batch. */
  accepting: string;
  /** Settings with which a service sends to both receivers. */
  settings: NodeJS.ProcessEnv;
  close: () => void;
}

export async function startReceivers(): Promise<Receivers> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const urlOf = (server: Server): string => `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const responses = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);
  const receiver = createServer({ cert, key }, (socket) => {
    const send = (): void => {
      while (socket.writable && socket.write(responses));
    };
    socket.on('error', () => undefined).on('drain', send);
    socket.once('data', send);
  }).listen(0, '127.0.0.1');
  const accepting = createHttpsServer({ cert, key }, (request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  const nameServer = createSocket('udp4').bind(0, '127.0.0.1');
  await Promise.all([nameServer, receiver, accepting].map((server) => once(server, 'listening')));
  mkdirSync(BENCH_DIR, { recursive: true });
  const certificate = join(BENCH_DIR, 'receiver.crt');
  writeFileSync(certificate, cert);
  return {
    nameServer: `127.0.0.1:${nameServer.address().port}`,
    endless: urlOf(receiver),
    accepting: urlOf(accepting),
    settings: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: certificate },
    close: () => {
      nameServer.close();
      receiver.close();
      accepting.close();
      accepting.closeAllConnections();
    },
  };
}
