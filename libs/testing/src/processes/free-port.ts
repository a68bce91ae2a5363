import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/**
 * Ports below the system's range for outgoing connections; an outgoing connection could otherwise take a free port before the server does.
 */
const FIRST = 16_000;
const LAST = 32_767;
const CANDIDATES = 100;

/**
 * A free port on 127.0.0.1. The port is random, because other test processes look for a port at the same time; this process never gets the
 * same port twice.
 */
export const freePort = (): Promise<number> =>
  getPort({ host: '127.0.0.1', port: Array.from({ length: CANDIDATES }, () => randomInt(FIRST, LAST + 1)), reserve: true });
