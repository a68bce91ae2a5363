import { Api } from './api.js';
import { Coverage } from './coverage/coverage.js';
import { FibreError } from './errors.js';
import { Charges } from './events/charges.js';
import { Closings } from './events/closings.js';
import { Entities } from './events/entities.js';
import { Events } from './events/events.js';
import { Isps } from './events/isps.js';
import { Periods } from './events/periods.js';
import { type paths as CoveragePaths } from './generated/coverage-api.js';
import { type paths as EventPaths } from './generated/event-api.js';
import { Transport, type TransportOptions } from './transport.js';

export interface FibreClientOptions extends TransportOptions {
  /** Everything in the URL before `/v2/cov`. */
  coverageUrl?: string;
  /** Everything in the URL before `/api/v2/sys`. */
  eventsUrl?: string;
  /** Namespace of the event API, for development and tests. */
  namespace?: string;
}

/** Both APIs, or one of them. */
export class FibreClient {
  readonly #coverage?: Coverage;
  readonly #events?: Events;
  readonly #entities?: Entities;
  readonly #isps?: Isps;
  readonly #periods?: Periods;
  readonly #closings?: Closings;
  readonly #charges?: Charges;

  constructor({ coverageUrl, eventsUrl, namespace, ...options }: FibreClientOptions) {
    const transport = new Transport(options);
    if (coverageUrl !== undefined) this.#coverage = new Coverage(new Api<CoveragePaths>(coverageUrl, transport));
    if (eventsUrl === undefined) return;
    const api = new Api<EventPaths>(eventsUrl, transport);
    this.#events = new Events(api, namespace);
    this.#entities = new Entities(api, namespace);
    this.#isps = new Isps(api, namespace);
    this.#periods = new Periods(api, namespace);
    this.#closings = new Closings(api, namespace);
    this.#charges = new Charges(api);
  }

  get coverage(): Coverage {
    return this.#coverage ?? missing('coverageUrl');
  }

  get events(): Events {
    return this.#events ?? missing('eventsUrl');
  }

  /** The states of billable entities. */
  get entities(): Entities {
    return this.#entities ?? missing('eventsUrl');
  }

  /** The registry of internet service providers. */
  get isps(): Isps {
    return this.#isps ?? missing('eventsUrl');
  }

  /** What billing charges. */
  get periods(): Periods {
    return this.#periods ?? missing('eventsUrl');
  }

  /** What was invoiced. */
  get closings(): Closings {
    return this.#closings ?? missing('eventsUrl');
  }

  /** What operators charge the caller, an internet service provider. */
  get charges(): Charges {
    return this.#charges ?? missing('eventsUrl');
  }
}

function missing(option: string): never {
  throw new FibreError(`The client was created without ${option}`);
}
