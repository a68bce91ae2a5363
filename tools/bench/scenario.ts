import type { Pool } from 'pg';
import type { Token } from './issuer.js';

export interface BenchRequest {
  path: string;
  method?: 'GET' | 'PUT' | 'POST';
  body?: string;
}

/** One kind of request, sent to the service and to the bare handler in turns. */
export interface Scenario {
  /** Key of the bare handler and of `--only`. */
  name: string;
  title: string;
  token: string;
  connections: number;
  /** The same for both sides; each connection repeats its share of them. */
  requests: BenchRequest[];
  /** Least ratio of requests per second, service to bare handler. Absent: shown for information. */
  goal?: number;
  /** Makes the two sides' answers to one request comparable; they have to be equal before anything is measured. */
  comparable: (body: string) => unknown;
}

/** Where the service under test is, for requests that prepare a scenario. */
export interface Running {
  url: string;
  token: Token;
  nodes: number;
}

/** What the bench knows of one service. */
export interface Suite {
  /** The app's folder. */
  service: string;
  /** Brings a migrated database to `nodes` records unless it has them already. */
  load: (databaseUrl: string, nodes: number) => Promise<void>;
  /** Module whose default export is a {@link BareHandlers}. */
  bareModule: string;
  /** A request that a freshly started service has to answer. */
  firstRequest: (token: Token) => Promise<{ path: string; token: string }>;
  scenarios: (running: Running) => Promise<Scenario[]>;
}

/** Answer to a request, by the name of the scenario: the same statements as the service and nothing else. */
export type BareHandlers = Record<string, (pool: Pool, url: URL) => Promise<string>>;
