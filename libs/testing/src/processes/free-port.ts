import { threadId } from 'node:worker_threads';
import getPort, { portNumbers } from 'get-port';

/** Below the system's range for connections, one of which could take a free port before its server does; each thread has its own part. */
const FIRST = 16_000 + ((process.pid + threadId * 307) % 1_000) * 16;
const LAST = 32_767;

/** A free port of 127.0.0.1; never the same one twice. */
export const freePort = (): Promise<number> => getPort({ host: '127.0.0.1', port: portNumbers(FIRST, LAST), reserve: true });
