import { type Statement, statementOf } from '@fibre/database';
import type { Webhook } from './webhook.entity.js';
import { LEASE_SECONDS } from './webhook.js';

/** Shortest and longest time, in seconds, that a webhook waits after a failed batch. */
const LEAST_WAIT = 5;
const MOST_WAIT = 3_600;
/** Seconds of continuous failure after which a webhook is disabled. */
const GIVE_UP = 3 * 86_400;

/** A webhook as it was when a replica took it. Later statements change the webhook only if its place is still the same. */
export type Taken = Pick<Webhook, 'tenant' | 'webhook_id' | 'place'>;

/**
 * Takes webhooks that are due, each for the duration of a lease.
 *
 * @param most maximum number of webhooks
 * @param mostPerTenant maximum number of webhooks of one tenant, including those under way
 * @param underWay the tenants of the webhooks that this replica is delivering now
 */
export const takeDue = (most: number, mostPerTenant: number, underWay: readonly string[]): Statement =>
  statementOf(
    'webhooks-take-due',
    `
    update webhook w set due_at = now() + interval '${LEASE_SECONDS} seconds'
    from (
      select d.tenant, d.webhook_id
      from webhook d
      join (
        select q.tenant, q.webhook_id, row_number() over (partition by q.tenant order by q.due_at) as position
        from webhook q where q.enabled and q.due_at <= now()
      ) queue on queue.tenant = d.tenant and queue.webhook_id = d.webhook_id
      where queue.position <= $2 - (select count(*) from unnest($3::text[]) u (tenant) where u.tenant = d.tenant) and d.enabled and d.due_at <= now()
      order by d.due_at limit $1 for update of d skip locked
    ) due
    where w.tenant = due.tenant and w.webhook_id = due.webhook_id
    returning w.*`,
    [most, mostPerTenant, underWay],
  );

/** How far a webhook has got. */
export interface Progress {
  readonly place: string;
  readonly deliveredUntil: Date;
  /** Status of the response; absent if there was nothing to send. */
  readonly status?: number;
  readonly nextLookSeconds: number;
}

/** Moves a webhook to the next place. */
export const moveOn = ({ tenant, webhook_id, place }: Taken, to: Progress): Statement =>
  statementOf(
    'webhooks-move-on',
    `
    update webhook w
    set place = $4, delivered_until = greatest(w.delivered_until, $5), batch_end = null, due_at = now() + $7 * interval '1 second', last_status = coalesce($6, w.last_status),
      last_error = case when $6::int is null then w.last_error end, failing_since = case when $6::int is null then w.failing_since end
    where w.tenant = $1 and w.webhook_id = $2 and w.place = $3`,
    [tenant, webhook_id, place, to.place, to.deliveredUntil, to.status ?? null, to.nextLookSeconds],
  );

/** Records a failed batch, and returns `enabled`. The webhook waits for as long as it has been failing, and up to a quarter longer. */
export const noteFailure = ({ tenant, webhook_id, place }: Taken, status: number | undefined, error: string): Statement =>
  statementOf(
    'webhooks-note-failure',
    `
    update webhook w
    set last_status = $4, last_error = $5, failing_since = coalesce(w.failing_since, now()),
      due_at = now() + least(${MOST_WAIT}, greatest(${LEAST_WAIT}, extract(epoch from now() - w.failing_since))) * $6 * interval '1 second',
      enabled = w.enabled and coalesce(w.failing_since > now() - interval '${GIVE_UP} seconds', true)
    where w.tenant = $1 and w.webhook_id = $2 and w.place = $3
    returning w.enabled`,
    [tenant, webhook_id, place, status ?? null, error, 1 + Math.random() / 4],
  );

/**
 * One row with the number of webhooks in each state, the largest lag of the active ones, and the longest time that a webhook has been due.
 */
export const measureWebhooks: Statement = {
  name: 'webhooks-measure',
  text: `
    select count(*) filter (where w.enabled and w.failing_since is null)::int as active,
      count(*) filter (where w.enabled and w.failing_since is not null)::int as failing,
      count(*) filter (where not w.enabled)::int as disabled,
      coalesce(extract(epoch from now() - min(w.delivered_until) filter (where w.enabled and w.failing_since is null)), 0)::float8 as lag,
      greatest(extract(epoch from now() - min(w.due_at) filter (where w.enabled)), 0)::float8 as overdue
    from webhook w`,
  values: [],
};
