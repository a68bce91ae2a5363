import type { ListenOptions } from 'node:net';

/** The first file descriptor that systemd hands over (sd_listen_fds(3)). */
const FIRST_HANDED_OVER = 3;

/**
 * Where to listen: at the address, unless systemd hands over a listening socket. That one stays open while the service restarts, so that
 * connections wait for the new process instead of being refused.
 */
export function listenerOf({ HOST, PORT }: { readonly HOST: string; readonly PORT: number }): ListenOptions | { fd: number } {
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  // Both variables are inherited, so a process that gets them from its parent has no socket.
  if (LISTEN_PID !== String(process.pid)) return { host: HOST, port: PORT };
  if (LISTEN_FDS !== '1') throw new Error(`systemd hands over ${LISTEN_FDS} sockets; the socket unit must have one ListenStream`);
  return { fd: FIRST_HANDED_OVER };
}
