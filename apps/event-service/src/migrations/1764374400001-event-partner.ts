import { indexMigration } from '@fibre/database';

/**
 * An index of the events that may name a partner; the deletion of an ISP uses it to find out whether an event names the ISP. The index's
 * condition is on the event type and not on the partner, so that building the index does not read the attributes of updates, and reads
 * those of activations only once.
 */
export const EventPartner1764374400001 = indexMigration('EventPartner1764374400001', {
  build: {
    event_partner_idx: `event (tenant, namespace_id, ((sys_attributes->>'partner_id')::uuid))
      where event_type in ('activation', 'notification') and sys_attributes is not null`,
  },
});
