import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type INestApplication, Logger } from '@nestjs/common';
import { hasSocketOfSystemd } from '../env/listener.env.js';
import type { ServerEnv } from '../env/server.env.js';
import { HealthController } from '../observe/health.controller.js';

/** Time between two checks for idle connections, once the listener is closed. */
const SWEEP_MS = 100;

/**
 * Ends the process on SIGTERM and SIGINT without failing a request. First the service becomes unready, so that no new requests are
 * routed to it, and each response closes its connection. After the delay, in which the load balancer notices this, the listener closes
 * and running requests finish. A stuck request cannot block a rollout: requests are cut off after the time of grace.
 *
 * A socket of systemd needs nobody to notice: new connections wait in it for the next process. So the listener closes at once, and the
 * delay is the time that the proxy has for the connections that it keeps open.
 *
 * @param afterClose functions that are called one after the other once the application has closed
 */
export function shutDownOnSignals(
  app: INestApplication,
  { SHUTDOWN_DELAY_SECONDS: delaySeconds, SHUTDOWN_GRACE_SECONDS: graceSeconds }: ServerEnv,
  afterClose: readonly (() => Promise<void>)[],
): void {
  let begun = false;
  const shutDown = async (signal: string): Promise<void> => {
    if (begun) return;
    begun = true;
    Logger.log(`${signal}: shutting down`);
    app.get(HealthController).draining = true;
    closeConnections(app.getHttpServer() as Server);
    const noticed = delay(delaySeconds * 1_000);
    await (hasSocketOfSystemd() ? Promise.race([noticed, closeListener(app.getHttpServer() as Server)]) : noticed);
    const cutOff = setTimeout(() => {
      Logger.error(`requests that are still running after ${graceSeconds} s are cut off`);
      process.exit(1);
    }, graceSeconds * 1_000);
    // Connections whose last request arrived before the signal were not told to close, and an open connection would block the exit.
    setInterval(() => (app.getHttpServer() as Server).closeIdleConnections(), SWEEP_MS);
    await app.close();
    // The embedded server cuts off connections that are already closing; that is expected.
    Logger.overrideLogger(false);
    for (const end of afterClose) await end();
    clearTimeout(cutOff);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void shutDown(signal).catch(() => process.exit(1)));
  }
}

/** Closes each connection with its next response (RFC 9112 section 9.6), so that no connection is cut off when the listener closes. */
function closeConnections(server: Server): void {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => response.setHeader('connection', 'close'));
}

/**
 * Closes the listener alone, while `close` of an HTTP server also closes connections on which no request has arrived yet.
 *
 * @returns when no connection is left
 */
const closeListener = (server: Server): Promise<void> =>
  new Promise((resolve) => void Listener.prototype.close.call(server, () => resolve()));
