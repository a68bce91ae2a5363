import { indexMigration } from '@fibre/database';

/**
 * An index of the events that may name a partner, with which the deletion of an ISP finds out whether one does. Its condition is the event
 * type and not the partner, so that building it does not read the attributes of updates, and those of activations only once.
 */
export const EventPartner1764374400001 = indexMigration('EventPartner1764374400001', {
  build: {
    event_partner_idx: `event (tenant, namespace_id, ((sys_attributes->>'partner_id')::uuid))
      where event_type in ('activation', 'notification') and sys_attributes is not null`,
  },
});
