import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type INestApplication, Logger } from '@nestjs/common';
import { Lifecycle } from '../observe/lifecycle.js';

/** Requests still under way after this are cut off, so that a stuck one cannot hold up a rollout. */
const GRACE_MS = 25_000;
/** Time between two looks for connections that have nothing to do any more, once the listener is closed. */
const SWEEP_MS = 100;

/**
 * Ends the process on SIGTERM and SIGINT without failing a request: first not ready, so that no new work is
 * routed here, and every answer tells its client to connect elsewhere; after the delay the listener closes and what is
 * under way finishes.
 *
 * @param delaySeconds as long as whoever routes requests here takes to notice
 * @param afterClose what to end after the application, one after the other
 */
export function shutDownOnSignals(app: INestApplication, delaySeconds: number, afterClose: readonly (() => Promise<void>)[]): void {
  let begun = false;
  const shutDown = async (signal: string): Promise<void> => {
    if (begun) return;
    begun = true;
    Logger.log(`${signal}: shutting down`);
    app.get(Lifecycle).draining = true;
    closeConnections(app.getHttpServer() as Server);
    await delay(delaySeconds * 1_000);
    const cutOff = setTimeout(() => {
      Logger.error(`requests still under way after ${GRACE_MS} ms are cut off`);
      process.exit(1);
    }, GRACE_MS);
    // Those whose request came before the signal were not told, and one that stays open would hold up the end.
    setInterval(() => (app.getHttpServer() as Server).closeIdleConnections(), SWEEP_MS);
    await app.close();
    // The embedded server cuts off connections that are closing already; that is no news.
    Logger.overrideLogger(false);
    for (const end of afterClose) await end();
    clearTimeout(cutOff);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void shutDown(signal).catch(() => process.exit(1)));
  }
}

/** Ends each connection with its next answer (RFC 9112 section 9.6), so that none is cut when the listener closes. */
function closeConnections(server: Server): void {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => response.setHeader('connection', 'close'));
}
