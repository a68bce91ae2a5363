import { setTimeout as delay } from 'node:timers/promises';
import { type INestApplication, Logger as NestLogger } from '@nestjs/common';
import { Logger } from 'nestjs-pino';
import { Lifecycle } from './lifecycle.js';

/** Requests still under way after this are cut off, so that a stuck one cannot hold up a rollout. */
const GRACE_MS = 25_000;

/**
 * Ends the process on SIGTERM and SIGINT without failing a request: first not ready, so that no new work is
 * routed here; after the delay the listener closes and what is under way finishes.
 *
 * @param afterClose what to end after the application, the embedded database
 */
export function shutDownOnSignals(app: INestApplication, delaySeconds: number, afterClose: () => Promise<void>): void {
  const logger = app.get(Logger);
  let begun = false;
  const shutDown = async (signal: string): Promise<void> => {
    if (begun) return;
    begun = true;
    logger.log(`${signal}: shutting down`);
    app.get(Lifecycle).draining = true;
    await delay(delaySeconds * 1_000);
    const cutOff = setTimeout(() => {
      logger.error(`requests still under way after ${GRACE_MS} ms are cut off`);
      process.exit(1);
    }, GRACE_MS);
    await app.close();
    // The embedded server cuts off connections that are closing already; that is no news.
    NestLogger.overrideLogger(false);
    await afterClose();
    clearTimeout(cutOff);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void shutDown(signal).catch(() => process.exit(1)));
  }
}
