import { indexMigration } from '@fibre/database';

/**
 * Indexes the events that may name a partner; deleting an ISP uses the index to check whether an event names the ISP. The condition is on
 * the event type, not on the partner: building the index then skips the attributes of updates, and reads those of activations only once.
 */
export const EventPartner1764374400001 = indexMigration('EventPartner1764374400001', {
  build: {
    event_partner_idx: `event (tenant, namespace_id, ((sys_attributes->>'partner_id')::uuid))
      where event_type in ('activation', 'notification') and sys_attributes is not null`,
  },
});
