import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/** Below the system's range for connections, one of which could take a free port before its server does. */
const FIRST = 16_000;
const LAST = 32_767;
const CANDIDATES = 100;

/** A free port of 127.0.0.1. Random, because other test processes look for one at the same time; never the same one twice in this process. */
export const freePort = (): Promise<number> =>
  getPort({ host: '127.0.0.1', port: Array.from({ length: CANDIDATES }, () => randomInt(FIRST, LAST + 1)), reserve: true });
