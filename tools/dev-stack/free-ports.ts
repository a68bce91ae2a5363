import getPort from 'get-port';
import { HOST } from '../workspace.js';

/** A port that something is about to listen on. */
export interface WantedPort {
  name: string;
  port: number;
  /** Environment variable that chooses another one. */
  variable: string;
}

/** Refuses to go on when somebody already listens on one of the ports. */
export async function assertFreePorts(wanted: readonly WantedPort[]): Promise<void> {
  for (const { name, port, variable } of wanted) {
    if ((await getPort({ host: HOST, port })) === port) continue;
    throw new Error(
      `Port ${port} for ${name} is already taken on ${HOST}. Is the stack already running in another terminal? ` +
        `To use another port: ${variable}=${port + 1_000} npm start`,
    );
  }
}
