import type { ListenOptions } from 'node:net';

/** The first file descriptor that systemd hands over (sd_listen_fds(3)). */
const FIRST_HANDED_OVER = 3;

/**
 * Whether systemd hands over a listening socket. It stays open while the service restarts, so that connections wait for the new process
 * instead of being refused. Both variables are inherited, so a process that gets them from its parent has no socket.
 */
export const hasSocketOfSystemd = (): boolean => process.env.LISTEN_PID === String(process.pid);

/** Where to listen: at the socket that systemd hands over, or else at the address. */
export function listenerOf({ HOST, PORT }: { readonly HOST: string; readonly PORT: number }): ListenOptions | { fd: number } {
  if (!hasSocketOfSystemd()) return { host: HOST, port: PORT };
  const { LISTEN_FDS } = process.env;
  if (LISTEN_FDS !== '1') throw new Error(`systemd hands over ${LISTEN_FDS} sockets; the socket unit must have one ListenStream`);
  return { fd: FIRST_HANDED_OVER };
}
