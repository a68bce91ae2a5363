import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';

/**
 * Connections that may wait to be accepted, for each listening socket; the system may allow fewer (`net.core.somaxconn`). Node's own 511
 * overflow when thousands come at once, and who finds no room, a probe too, tries again after a second, then after two, then after four.
 */
const BACKLOG = 4_096;

/**
 * libuv (since 1.45) accepts one connection of a listening socket for each turn of the event loop. When thousands of connections come at once
 * and turns are long, a probe would stand in line for seconds; so that many are accepted in a turn.
 */
const SOCKETS = 64;

/** SO_REUSEPORT that shares connections out is a thing of Linux, and of Node from 22.12 and 23.1 on; elsewhere there is one socket. */
const [MAJOR, MINOR] = process.versions.node.split('.').map(Number) as [number, number];
const CAN_SHARE = process.platform === 'linux' && (MAJOR > 22 || (MAJOR === 22 && MINOR >= 12));

/** The sockets beside the server's own on which its connections come in. */
export class Listeners {
  private others: Server[] = [];

  /**
   * Listens on several sockets where the system shares connections out among them.
   *
   * @throws EADDRINUSE when another process has the port, one that would share it included
   */
  async listen(server: HttpServer, port: number, host: string | undefined): Promise<void> {
    const address = { host, backlog: BACKLOG };
    if (!CAN_SHARE) return await listen(server, { ...address, port });
    const alone = createServer();
    await listen(alone, { ...address, port });
    const chosen = (alone.address() as { port: number }).port;
    await new Promise((resolve) => alone.close(resolve));
    const shared = { ...address, port: chosen, reusePort: true };
    await listen(server, shared);
    // As node:http makes its own.
    const more = () => createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => server.emit('connection', socket));
    this.others = Array.from({ length: SOCKETS - 1 }, more);
    await Promise.all(this.others.map((other) => listen(other, shared)));
  }

  /** Settles when nobody is connected any more. */
  async close(): Promise<void> {
    await Promise.all(this.others.map((other) => new Promise((resolve) => other.close(resolve))));
  }
}

async function listen(server: Server, options: ListenOptions): Promise<void> {
  server.listen(options);
  await once(server, 'listening');
}
