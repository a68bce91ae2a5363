import { Api } from './api.js';
import { Coverage } from './coverage/coverage.js';
import { Charges } from './events/charges.js';
import { Closings } from './events/closings.js';
import { Entities } from './events/entities.js';
import { Events } from './events/events.js';
import { Isps } from './events/isps.js';
import { Periods } from './events/periods.js';
import { type paths as CoveragePaths } from './generated/coverage-api.js';
import { type paths as EventPaths } from './generated/event-api.js';
import { Transport, type TransportOptions } from './transport.js';
import { Webhooks } from './webhooks.js';

export interface FibreClientOptions extends TransportOptions {
  /** Everything in the URL before `/v2/cov`. */
  coverageUrl?: string;
  /** Everything in the URL before `/api/v2/sys`. */
  eventsUrl?: string;
  /** Namespace of the event API, for development and tests. */
  namespace?: string;
}

/** Both APIs, or one of them; a request to an API whose address is not set throws a FibreError. */
export class FibreClient {
  readonly coverage: Coverage;
  readonly events: Events;
  /** The states of billable entities. */
  readonly entities: Entities;
  /** The registry of internet service providers. */
  readonly isps: Isps;
  /** What billing charges. */
  readonly periods: Periods;
  /** What was invoiced. */
  readonly closings: Closings;
  /** What operators charge the caller, an internet service provider. */
  readonly charges: Charges;

  constructor({ coverageUrl, eventsUrl, namespace, ...options }: FibreClientOptions) {
    const transport = new Transport(options);
    this.coverage = new Coverage(new Api<CoveragePaths>(coverageUrl, transport));
    const inProduction = new Api<EventPaths>(eventsUrl, transport);
    const api = new Api<EventPaths>(eventsUrl, transport, namespace);
    this.events = new Events(api, new Webhooks(inProduction, '/api/v2/sys/webhooks' as '/v2/cov/webhooks'));
    this.entities = new Entities(api);
    this.isps = new Isps(api);
    this.periods = new Periods(api);
    this.closings = new Closings(api);
    this.charges = new Charges(inProduction);
  }
}
