import { Webhook as Verifier } from 'standardwebhooks';
import { type Api } from './api.js';
import { type CallOptions } from './options.js';
import { type Call } from './call.js';
import { type components as CoverageComponents, type operations, type paths } from './generated/coverage-api.js';
import { type components as EventComponents } from './generated/event-api.js';
import { type Listing } from './listing.js';

/** A webhook; its feed is `nodes` or `search` of the coverage API, or `events` or `lines` of the event API. */
export type Webhook = CoverageComponents['schemas']['WebhookResponse'] & EventComponents['schemas']['WebhookResponse'];
/** A webhook with its secret, which is shown only once. */
export type WebhookWithSecret = Webhook & CoverageComponents['schemas']['WebhookWithSecretResponse'];
export type WebhookChanges = CoverageComponents['schemas']['UpdateWebhookRequest'];
export type WebhookTest = CoverageComponents['schemas']['WebhookTestResponse'];
export type WebhookQuery = Omit<NonNullable<operations['listWebhooks']['parameters']['query']>, '_page_cursor'>;
export type NewCoverageWebhook = CoverageComponents['schemas']['CreateWebhookRequest'];
export type NewEventWebhook = EventComponents['schemas']['CreateWebhookRequest'];

const at = (webhook_id: string) => ({ params: { path: { webhook_id } } });

/** The webhooks of one API. */
export class Webhooks<New extends NewCoverageWebhook | NewEventWebhook> {
  /** @param path path in the coverage API; the event API has the same operations under another path */
  constructor(
    private readonly api: Api<paths>,
    private readonly path: '/v2/cov/webhooks',
  ) {}

  list(query: WebhookQuery = {}, options: CallOptions = {}): Listing<Webhook> {
    return this.api.list(options, (how) => this.api.client.GET(this.path, { params: { query }, ...how }));
  }

  create(body: New, options: CallOptions = {}): Call<WebhookWithSecret> {
    return this.api.call(this.api.client.POST(this.path, { body: body as NewCoverageWebhook, ...this.api.with(options) }));
  }

  read(webhook_id: string, options: CallOptions = {}): Call<Webhook> {
    return this.api.call(this.api.client.GET(`${this.path}/{webhook_id}`, { ...at(webhook_id), ...this.api.with(options) }));
  }

  update(webhook_id: string, body: WebhookChanges, options: CallOptions = {}): Call<Webhook> {
    return this.api.call(this.api.client.PATCH(`${this.path}/{webhook_id}`, { ...at(webhook_id), body, ...this.api.with(options) }));
  }

  delete(webhook_id: string, options: CallOptions = {}): Call<void> {
    return this.api.call<void>(this.api.client.DELETE(`${this.path}/{webhook_id}`, { ...at(webhook_id), ...this.api.with(options) }));
  }

  /** Sends a test event and waits for the response. */
  test(webhook_id: string, options: CallOptions = {}): Call<WebhookTest> {
    return this.api.call(this.api.client.POST(`${this.path}/{webhook_id}/test`, { ...at(webhook_id), ...this.api.with(options) }));
  }

  /** Creates a new secret. For one day, batches are signed with both the old and the new secret. */
  rotate(webhook_id: string, options: CallOptions = {}): Call<WebhookWithSecret> {
    return this.api.call(this.api.client.POST(`${this.path}/{webhook_id}/rotate`, { ...at(webhook_id), ...this.api.with(options) }));
  }
}

/** A change as a webhook sends it: a CloudEvent. */
export interface WebhookEvent {
  /** The same change always has the same id. */
  id: string;
  /** For example, `open-access-fibre.nodes.upserted`. */
  type: string;
  source: string;
  /** Id of the node, event or line. */
  subject: string;
  time: string;
  data: unknown;
}

/**
 * Checks that a batch has a valid signature and is not older than five minutes, and parses it.
 *
 * @param body the body as received, unparsed
 * @throws Error if the check fails
 */
export function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string,
): WebhookEvent[] {
  const plain = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  return new Verifier(secret).verify(body, plain as Record<string, string>) as WebhookEvent[];
}
