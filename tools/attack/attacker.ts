import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestIssuer } from '@fibre/testing/processes';
import type { Server } from '../bench/setup/load.js';

/** What an attack is aimed at, and what it may use. */
export interface Targets {
  coverage: Server;
  events: Server;
  issuer: TestIssuer;
  /** URL of a receiver of webhooks that never comes to its response. */
  receiver: string;
}

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  token?: string;
  /** Disconnects after this time, whether or not a response has arrived. */
  leaves?: number;
  /** Never ends the body, and sends this text once a second. */
  drip?: string;
  /** Does not read the response. */
  isDeaf?: boolean;
}

/** A tenant with a valid token that attacks until the signal aborts. */
export class Attacker {
  /** Number of responses by status. */
  readonly statuses = new Map<number, number>();
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    readonly targets: Targets,
    readonly token: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Sends a request, and resolves when it has ended, successfully or not. @returns the response, if there was one */
  hit(to: 'coverage' | 'events', path: string, sent: Sent = {}): Promise<IncomingMessage | undefined> {
    const { method, headers, body, token = this.token, leaves, drip, isDeaf } = sent;
    return new Promise((resolve) => {
      const sending = request(this.targets[to].url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        // What an attack has created is deleted even if the attack is over.
        signal: method === 'DELETE' ? undefined : this.signal,
        agent: leaves === undefined && !isDeaf ? this.agent : undefined,
      });
      const dripping = drip === undefined ? undefined : setInterval(() => sending.write(drip), 1_000);
      let answer: IncomingMessage | undefined;
      const end = (): void => (clearInterval(dripping), resolve(answer));
      sending.on('error', end).on('close', end);
      sending.on('response', (response: IncomingMessage) => {
        answer = response.on('error', end);
        const { statusCode = 0 } = response;
        this.statuses.set(statusCode, (this.statuses.get(statusCode) ?? 0) + 1);
        if (!isDeaf) response.resume();
      });
      if (leaves !== undefined) setTimeout(() => sending.destroy(), leaves);
      if (drip === undefined) sending.end(body);
      else sending.write(body);
    });
  }

  /** Repeats work in several parallel loops. */
  async again(lanes: number, work: (turn: number) => Promise<unknown>): Promise<void> {
    const lane = async (turn: number): Promise<void> => {
      for (; !this.signal.aborted; turn++) await work(turn).then(() => sleep(1));
    };
    await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  }
}
