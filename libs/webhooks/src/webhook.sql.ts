import { bound, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import type { Webhook } from './webhook.entity.js';
import { LEASE_SECONDS, MAX_EVENTS } from './webhook.js';

/** Shortest and longest time, in seconds, that a webhook waits after a failed batch. */
const LEAST_WAIT = 5;
const MOST_WAIT = 3_600;
/** Days of continuous failure after which a webhook is disabled. */
const GIVE_UP = 3;

/** A webhook as it was when a replica took it. Later statements change the webhook only if its place is still the same. */
export type LeasedWebhook = Pick<Webhook, 'tenant' | 'webhook_id' | 'place'>;

/**
 * Takes webhooks that are due, each for the duration of a lease.
 *
 * @param most maximum number of webhooks
 * @param mostPerTenant maximum number of webhooks of one tenant, including those under way
 * @param underWay the tenants of the webhooks that this replica is delivering now
 */
export const takeDue = (most: number, mostPerTenant: number, underWay: readonly string[]): Statement =>
  statement('webhooks-take-due')`
    update webhook w set due_at = now() + interval '${raw(LEASE_SECONDS)} seconds'
    from (
      select d.tenant, d.webhook_id
      from webhook d
      join (
        select q.tenant, q.webhook_id, row_number() over (partition by q.tenant order by q.due_at) as position
        from webhook q where q.enabled and q.due_at <= now()
      ) queue on queue.tenant = d.tenant and queue.webhook_id = d.webhook_id
      where queue.position <= ${mostPerTenant} - (select count(*) from unnest(${underWay}::text[]) u (tenant) where u.tenant = d.tenant)
        and d.enabled and d.due_at <= now()
      order by d.due_at limit ${most} for update of d skip locked
    ) due
    where w.tenant = due.tenant and w.webhook_id = due.webhook_id
    returning w.*`;

const isStillLeased = ({ tenant, webhook_id, place }: LeasedWebhook): Sql =>
  sql`w.tenant = ${tenant} and w.webhook_id = ${webhook_id} and w.place = ${place}`;

/** How far a webhook has got. */
export interface Progress {
  readonly place: string;
  readonly deliveredUntil: Date;
  /** Status of the response; absent if there was nothing to send. */
  readonly status?: number;
  readonly nextLookSeconds: number;
}

/** Moves a webhook to the next place. After a delivery, the next batch may have a tenth more events. */
export function moveOn(webhook: LeasedWebhook, to: Progress): Statement {
  const status = bound(to.status ?? null);
  return statement('webhooks-move-on')`
    update webhook w
    set place = ${to.place}, delivered_until = greatest(w.delivered_until, ${to.deliveredUntil}), batch_end = null,
      due_at = now() + ${to.nextLookSeconds} * interval '1 second', last_status = coalesce(${status}, w.last_status),
      last_error = case when ${status}::int is null then w.last_error end,
      failing_since = case when ${status}::int is null then w.failing_since end,
      batch_limit = case when ${status}::int is null then w.batch_limit else least(w.batch_limit + (w.batch_limit + 9) / 10, ${raw(MAX_EVENTS)}) end
    where ${isStillLeased(webhook)}`;
}

/** Makes the next batch smaller, because the receiver found this one too large. The webhook is not failing: a smaller batch may be accepted. */
export const shrinkBatch = (webhook: LeasedWebhook, status: number, error: string, events: number): Statement =>
  statement('webhooks-shrink-batch')`
    update webhook w
    set batch_limit = ${events}, batch_end = null, last_status = ${status}, last_error = ${error}, due_at = now()
    where ${isStillLeased(webhook)}`;

const isGivenUp = sql`(w.enabled and coalesce(w.failing_since <= now() - interval '${raw(GIVE_UP)} days', false))`;

/** Records a failed batch, and returns whether the webhook is still `enabled`. The webhook waits for as long as it has been failing, and up to a quarter longer. */
export const noteFailure = (webhook: LeasedWebhook, status: number | undefined, error: string): Statement =>
  statement('webhooks-note-failure')`
    update webhook w
    set last_status = ${status ?? null},
      last_error = case when ${isGivenUp} then 'disabled after ${raw(GIVE_UP)} days: ' else '' end || ${error}, failing_since = coalesce(w.failing_since, now()),
      due_at = now() + least(${raw(MOST_WAIT)}, greatest(${raw(LEAST_WAIT)}, extract(epoch from now() - w.failing_since)))
        * ${1 + Math.random() / 4} * interval '1 second',
      enabled = w.enabled and not ${isGivenUp}
    where ${isStillLeased(webhook)}
    returning w.enabled`;

/** How many webhooks are in each state, and two times in seconds. */
export interface Measures {
  readonly active: number;
  readonly failing: number;
  readonly disabled: number;
  /** The longest time that a webhook has been due. */
  readonly overdue: number;
  /** How far the last of the enabled webhooks is behind. */
  readonly lag: number;
}

/** One row of {@link Measures}. */
export const measureWebhooks = statement('webhooks-measure')`
    select count(*) filter (where w.enabled and w.failing_since is null)::int as active,
      count(*) filter (where w.enabled and w.failing_since is not null)::int as failing,
      count(*) filter (where not w.enabled)::int as disabled,
      greatest(extract(epoch from now() - min(w.due_at) filter (where w.enabled)), 0)::float8 as overdue,
      greatest(extract(epoch from now() - min(w.delivered_until) filter (where w.enabled)), 0)::float8 as lag
    from webhook w`;
