import { indexMigration } from '@fibre/database';
import { SUBSCRIPTION_INDEX } from './1764720000000-event-subscription.js';

const TIMELINE = 'event (tenant, namespace_id, entity_id, shard_key, event_at)';
const LIFECYCLE = `event_type <> 'notification'`;

/**
 * Indexes with the shard key before the time, so that PostgreSQL can find an event with a single step back in the index. In the older
 * indexes, the shard key was last or missing, and PostgreSQL often read and sorted all events of the timeline. Each value that applies at
 * an instant has its own index, so only the last event before that instant is read.
 */
export const EventStepBack1765152000000 = indexMigration('EventStepBack1765152000000', {
  build: {
    event_lifecycle_at_key: `${TIMELINE} where ${LIFECYCLE}`,
    event_activation_idx: `${TIMELINE} where event_type = 'activation'`,
    event_option82_idx: `${TIMELINE} where ${LIFECYCLE} and (sys_attributes ->> 'option82') is not null`,
    event_partner_reference_idx: `${TIMELINE} where ${LIFECYCLE} and (sys_attributes ->> 'partner_reference') is not null`,
  },
  drop: { event_lifecycle_key: `event (tenant, namespace_id, entity_id, event_at, shard_key) where ${LIFECYCLE}`, ...SUBSCRIPTION_INDEX },
});
