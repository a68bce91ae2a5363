import type pg from 'pg';
import type { Options } from './options.js';
import type { Scenario } from './scenario.js';
import type { Running } from './servers.js';

/** What the bench knows of one service. */
export interface Suite {
  /** The app's folder. */
  service: string;
  /** From the smallest to the largest. Each gets a database and a service; the last one the bare handler too. */
  datasets: (options: Options) => Dataset[];
  /** Module whose default export is a `BareRoutes`. */
  bareModule: string;
  /** A GET that a freshly started service has to answer. */
  firstRequest: { path: string; tenant: string; scope: string };
  /** By the name that `--only` looks for. Each checks that the answers are right before anything is measured. */
  scenarios: Record<string, (running: Running) => Promise<Scenario>>;
}

/** The content of a database; made once and found again by later runs. */
export interface Dataset {
  /** Of the database. */
  name: string;
  /** Changes with the data that is made, so that a table of an older bench is made anew. */
  version: number;
  /** Rows of the large table. */
  records: number;
  tables: [large: string, ...others: string[]];
  /** Fills the empty tables. */
  fill: (client: pg.Client) => Promise<void>;
  /** Removes what former runs recorded. @returns how many rows */
  removeRecorded?: (client: pg.Client) => Promise<number>;
}
