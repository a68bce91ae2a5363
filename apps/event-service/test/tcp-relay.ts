import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A fixed port in front of a server that comes back on another one each time. */
export interface TcpRelay {
  readonly port: number;
  /** Where connections go from now on. */
  target: number;
  close(): Promise<void>;
}

export async function startTcpRelay(target: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  const server = createServer((inner) => {
    const outer = connect(relay.target, '127.0.0.1');
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(one);
      // A half that breaks takes the other with it, as a killed server does.
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const relay: TcpRelay = {
    port: (server.address() as AddressInfo).port,
    target,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return relay;
}
