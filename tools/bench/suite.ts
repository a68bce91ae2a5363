import type { Dataset } from './dataset.js';
import type { Options } from './options.js';
import type { Scenario } from './scenario.js';
import type { Running } from './running.js';

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
  /** Names of the scenarios against the bare handler that a short run asks for. */
  quick: string[];
  /** Name of the scenario under four fifths of whose load the event loop is watched. */
  steady: string;
  /** By the name that `--only` looks for. Each checks that the answers are right before anything is measured. */
  scenarios: Record<string, (running: Running) => Promise<Scenario>>;
}
