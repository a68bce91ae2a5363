import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { BENCH_DIR } from '../bench/setup/service.js';

/** What tenants' webhooks lead to. */
export interface Receivers {
  /** Address and port of a name server that never answers. */
  nameServer: string;
  /** URL of a receiver that sends interim responses until the connection is closed. */
  endless: string;
  /** File with the certificate of `endless`. */
  certificate: string;
  close: () => void;
}

export async function startReceivers(): Promise<Receivers> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const responses = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);
  const receiver = createServer({ cert, key }, (socket) => {
    const send = (): void => {
      while (socket.writable && socket.write(responses));
    };
    socket.on('error', () => undefined).on('drain', send);
    socket.once('data', send);
  }).listen(0, '127.0.0.1');
  const nameServer = createSocket('udp4').bind(0, '127.0.0.1');
  await Promise.all([once(nameServer, 'listening'), once(receiver, 'listening')]);
  mkdirSync(BENCH_DIR, { recursive: true });
  const certificate = join(BENCH_DIR, 'receiver.crt');
  writeFileSync(certificate, cert);
  return {
    nameServer: `127.0.0.1:${nameServer.address().port}`,
    endless: `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    certificate,
    close: () => {
      nameServer.close();
      receiver.close();
    },
  };
}
