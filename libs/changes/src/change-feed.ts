import type { Type } from '@nestjs/common';

/** A change in a feed. */
export interface Change {
  /** `upserted`, `deleted`, `created` or `overwritten`. */
  readonly change: string;
  /** In the time format of the APIs. */
  readonly changed_at: string;
  /** Id of the node or event. */
  readonly id: string;
  /** The whole item as JSON text, exactly as in its listing. */
  readonly json: string;
}

/** Some changes in order, and the place after them. */
export interface ChangePage {
  readonly items: readonly Change[];
  /** The place after the items, also if there are none: an opaque text of at most 56 characters. */
  readonly next: string;
  /** Everything that changed before this instant is among the items, or after `next`. */
  readonly settledUntil: Date;
  /** Whether there are no more settled changes. */
  readonly isEnd: boolean;
}

/** Tenant and namespace of a feed. */
export interface FeedOwner {
  /** Ignored by a feed of all tenants. */
  readonly tenant: string;
  /** The name that clients use; absent for production. */
  readonly namespace?: string;
}

/** A feed of changes for readers that keep a place in it. */
export interface ChangeFeed {
  /** The scope that reading it requires. */
  readonly scope: string;
  /** A class with its filters and their rules, all optional. */
  readonly filters: Type<object>;

  /** The place for `since`; the current time means only later changes. */
  startingAt(since: Date): string;

  /**
   * @param place from `startingAt`, or the `next` of a page
   * @param limit most items, 1 to 2,000
   * @throws Problem 410 `changes-gone` if deletions after the place have been removed, 503
   */
  read(owner: FeedOwner, filters: Readonly<Record<string, string>>, place: string, limit: number): Promise<ChangePage>;
}

/** Injection token of a service's feeds by name: `ReadonlyMap<string, ChangeFeed>`. */
export const CHANGE_FEEDS = Symbol('CHANGE_FEEDS');
