import type { BenchRequest } from './requests.js';
import type { Running, Server } from './running.js';

/** Two ways to do the same, put under load in turns. */
export interface Scenario {
  title: string;
  token: string;
  connections: number;
  first: Contestant;
  second: Contestant;
  /** Of the ratio of requests per second, first to second. Absent: shown for information. */
  goal?: Goal;
}

export type Goal = { atLeast: number } | { atMost: number };

/** Requests to one server, all of which it has to answer with one status. */
export interface Contestant {
  /** What tells apart two contestants that are both the service; absent against the bare handler. */
  title?: string;
  server: Server;
  /** One of its own; that of the scenario when absent. */
  token?: string;
  /** Each connection repeats its share of them. */
  requests: BenchRequest[];
  status: number;
}

type SameForBoth = Omit<Scenario, 'first' | 'second'> & Omit<Contestant, 'server' | 'title'>;

/** The service and the bare handler with the same requests. */
export const againstBare = ({ service, bare }: Running, { requests, status, ...rest }: SameForBoth): Scenario => ({
  ...rest,
  first: { server: service, requests, status },
  second: { server: bare, requests, status },
});
