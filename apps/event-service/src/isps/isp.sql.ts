import { raw, type Statement, statement } from '@fibre/database';
import { eventAtText, inScope } from '../timeline/timeline.sql.js';
import type { IspKey } from './isp.entity.js';

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
