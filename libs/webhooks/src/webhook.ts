/** What webhooks need to know about a feed. */
export interface WebhookFeed {
  /** Scope for reading its webhooks. */
  readonly read: string;
  /** Scope for managing its webhooks. */
  readonly manage: string;
  /** Path of its listing: the `source` of the events. */
  readonly source: string;
}

/** The feeds of a service by name. */
export type WebhookFeeds = Readonly<Record<string, WebhookFeed>>;
export const WEBHOOK_FEEDS = Symbol('WEBHOOK_FEEDS');

/** Maximum number of webhooks per tenant. */
export const MAX_WEBHOOKS = 20;

/** Maximum number of events in a batch. */
export const MAX_EVENTS = 100;

/** Seconds for which a replica has a webhook to itself. */
export const LEASE_SECONDS = 30;
