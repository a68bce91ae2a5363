import type { Type } from '@nestjs/common';

/** What webhooks have to know of a feed. */
export interface WebhookFeed {
  /** Scope that reading its webhooks needs. */
  readonly read: string;
  /** Scope that managing them needs. */
  readonly manage: string;
  /** A class whose members are its filters. */
  readonly filters: Type<object>;
  /** Path of its listing: the `source` of the events. */
  readonly source: string;
}

/** The feeds of a service by their names. */
export type WebhookFeeds = Readonly<Record<string, WebhookFeed>>;
export const WEBHOOK_FEEDS = Symbol('WEBHOOK_FEEDS');

/** Seconds for which nobody else sends for a webhook that a replica has taken. */
export const LEASE_SECONDS = 30;
