import type { Socket } from 'node:net';

/**
 * Closes a connection with a reset, at once: the end of a connection is also the end of a whole response over HTTP/1.0, so only a reset
 * tells every client and proxy that the response is incomplete.
 *
 * `socket.resetAndDestroy()` would first send what is waiting, then end the connection, and only then reset it; a client that does not read
 * would keep it open. It sets this member too (CONTRIBUTING.md, undocumented parts).
 */
export function resetConnection(socket: Socket | null): void {
  if (!socket) return;
  (socket as Socket & { resetAndClosing: boolean }).resetAndClosing = true;
  socket.destroy();
}
