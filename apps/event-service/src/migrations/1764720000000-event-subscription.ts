import { indexMigration } from '@fibre/database';

export const SUBSCRIPTION_INDEX = {
  event_subscription_idx: `event (tenant, namespace_id, entity_id, event_at)
    where event_type <> 'notification' and (
      event_type = 'activation' or (sys_attributes ->> 'option82') is not null or (sys_attributes ->> 'partner_reference') is not null
    )`,
};

/**
 * Indexes the few lifecycle events that begin a subscription or set a value that applies until it is set again. A single step back in the
 * index then finds what applied at the start of a billing window, without reading all the updates before it.
 */
export const EventSubscription1764720000000 = indexMigration('EventSubscription1764720000000', { build: SUBSCRIPTION_INDEX });
