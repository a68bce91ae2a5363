import { bound, raw, sql, type Statement, statement } from '@fibre/database';
import { eventAtText, inScope } from '../timeline/timeline.sql.js';
import type { IspKey } from './isp.entity.js';

/** A tenant that sees an ISP's lines at one operator, or has seen them until `ends_at`. */
export interface IspAccess {
  /** The operator. */
  readonly tenant: string;
  readonly partner_id: string;
  /** When it was given the lines for the first time, and for the last time. */
  readonly first_at: Date;
  readonly begins_at: Date;
  readonly ends_at: Date | null;
}

const PARTNER = raw(`(e.sys_attributes->>'partner_id')::uuid`);

/**
 * Finds an event that names the ISP or, if none does, the next event in the index. Returns one row of `event_id`, `event_type`, `event_at`
 * and `partner_id`, or no row.
 *
 * The condition is `>=`, not `=`: with `=`, PostgreSQL might expect an early match without the index, and would then read all events for an
 * unused ISP. Only the index provides the requested order.
 */
export const findEventOfIsp = ({ tenant, namespace_id, partner_id }: IspKey): Statement =>
  statement('isps-event-of')`
    select e.event_id, e.event_type, ${raw(eventAtText('e.event_at'))} as event_at, ${PARTNER} as partner_id
    from event e
    where ${inScope({ tenant, namespaceId: namespace_id })('e')} and e.event_type in ('activation', 'notification') and e.sys_attributes is not null
      and ${PARTNER} >= ${partner_id}::uuid
    order by ${PARTNER} limit 1`;

/**
 * Records which tenant sees an ISP's lines from now on, and which one no longer does. To be run in the transaction that has changed the ISP's
 * row, and so holds its lock.
 */
export const recordAccess = ({ tenant, namespace_id, partner_id }: IspKey): Statement => {
  const [operator, partner] = [tenant, partner_id].map(bound);
  const isp = sql`i.tenant = ${operator} and i.namespace_id = ${namespace_id}::uuid and i.partner_id = ${partner}::uuid`;
  const access = sql`a.tenant = ${operator} and a.partner_id = ${partner}::uuid and a.ends_at is null`;
  return statement('isps-record-access')`
    insert into isp_access (isp_tenant, tenant, partner_id, first_at, begins_at, ends_at)
    select a.isp_tenant, a.tenant, a.partner_id, a.first_at, a.begins_at, write_time() from isp_access a
    where ${access} and not exists (select 1 from isp i where ${isp} and i.isp_tenant = a.isp_tenant)
    union all
    select i.isp_tenant, i.tenant, i.partner_id, n.now, n.now, null from isp i cross join lateral (select write_time() as now) n
    where ${isp} and i.isp_tenant is not null and not exists (select 1 from isp_access a where ${access} and a.isp_tenant = i.isp_tenant)
    on conflict (isp_tenant, tenant, partner_id) do update set begins_at = excluded.begins_at, ends_at = excluded.ends_at`;
};

/** Every {@link IspAccess} of a tenant. */
export const selectAccess = (ispTenant: string): Statement =>
  statement(
    'isps-access',
  )`select a.tenant, a.partner_id, a.first_at, a.begins_at, a.ends_at from isp_access a where a.isp_tenant = ${ispTenant}`;
