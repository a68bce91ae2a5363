import type { TenantRules } from '@fibre/database';

const ENDED_LATELY = `ends_at > now() - interval '30 days'`;

/**
 * ISPs follow the lines of all operators in one feed. When an operator leaves, its lines end there as if it had taken them away; when it
 * arrives, they are in the feed at that time, because the ISPs have passed the times of their changes. The events keep theirs: only their
 * own tenant follows them.
 */
export const tenants: TenantRules = {
  leave: [
    'delete from webhook w where w.tenant = $1',
    'update isp i set isp_tenant = null where i.tenant = $1 and i.isp_tenant is not null',
    'update isp_access a set ends_at = write_time() where a.tenant = $1 and a.ends_at is null',
  ],
  kept: {
    isp_access: `t.${ENDED_LATELY}`,
    line_change: `exists (select from isp_access a where a.tenant = t.tenant and a.partner_id = t.partner_id and a.${ENDED_LATELY})`,
  },
  beforeArrival: [],
  replaced: {},
  leftBehind: [],
  afterArrival: [
    'update webhook w set enabled = false where w.tenant = $1',
    'update isp_access a set begins_at = write_time() where a.tenant = $1 and a.ends_at is null',
  ],
  afterCommit: [],
};
