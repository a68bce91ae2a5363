import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP relay that goes silent on a connection once the client sends the given text, as if the network dropped its packets. */
export async function startSilentRelay(url: string, text: string): Promise<{ url: string; stop: () => void }> {
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const server = connect(Number(new URL(url).port), new URL(url).hostname);
    let isSilent = false;
    client.on('data', (data) => {
      isSilent ||= data.includes(text);
      if (!isSilent) server.write(data);
    });
    server.on('data', (data) => isSilent || client.write(data));
    for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined));
    client.on('close', () => server.destroy());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const through = Object.assign(new URL(url), { port: String((relay.address() as AddressInfo).port) });
  const stop = (): void => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: through.href, stop };
}
