import type { Token } from './issuer.js';

/** A server under load. */
export interface Server {
  url: string;
  pid: number;
  /** Rows of the large table of its database. */
  records: number;
}

/** What is under load, for the requests that prepare a scenario. */
export interface Running {
  token: Token;
  /** The service on each dataset, in their order. */
  services: Server[];
  /** The last one of them. */
  service: Server;
  /** The bare handler, on the same database as {@link service}. */
  bare: Server;
}
