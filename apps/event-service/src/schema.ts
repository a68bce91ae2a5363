import { Webhook, Webhook1764892800000, WebhookSince1765238400000 } from '@fibre/changes';
import { AppendEvent } from './events/append-event.sql.js';
import { Isp } from './isps/isp.entity.js';
import { Event1763683200000 } from './migrations/1763683200000-event.js';
import { Distribution1763683200001 } from './migrations/1763683200001-distribution.js';
import { TimelineHead1764201600000 } from './migrations/1764201600000-timeline-head.js';
import { TimelineState1764291600000 } from './migrations/1764291600000-timeline-state.js';
import { TimelineStateBackfill1764291600001 } from './migrations/1764291600001-timeline-state-backfill.js';
import { EventModifiedAt1764028800000 } from './migrations/1764028800000-event-modified-at.js';
import { Isp1764374400000 } from './migrations/1764374400000-isp.js';
import { EventPartner1764374400001 } from './migrations/1764374400001-event-partner.js';
import { EventPeriod1764547200000 } from './migrations/1764547200000-event-period.js';
import { EventSubscription1764720000000 } from './migrations/1764720000000-event-subscription.js';
import { EventChanges1764806400000 } from './migrations/1764806400000-event-changes.js';
import { TimelineRecorded1764633600000 } from './migrations/1764633600000-timeline-recorded.js';
import { TimelineOption821765065600000 } from './migrations/1765065600000-timeline-option82.js';
import { EventStepBack1765152000000 } from './migrations/1765152000000-event-step-back.js';
import { TimelineRecordedBackfill9999999999999 } from './migrations/9999999999999-timeline-recorded-backfill.js';
import { Namespace } from './namespaces/namespace.entity.js';

/** Entities and migrations of this service. Events and timelines have no entity, because only the SQL of their features uses them. */
export const schema = {
  entities: [Isp, Namespace, Webhook],
  migrations: [
    Event1763683200000,
    Distribution1763683200001,
    EventModifiedAt1764028800000,
    TimelineHead1764201600000,
    TimelineState1764291600000,
    TimelineStateBackfill1764291600001,
    Isp1764374400000,
    EventPartner1764374400001,
    EventPeriod1764547200000,
    TimelineRecorded1764633600000,
    EventSubscription1764720000000,
    EventChanges1764806400000,
    Webhook1764892800000,
    WebhookSince1765238400000,
    TimelineOption821765065600000,
    EventStepBack1765152000000,
    AppendEvent,
    TimelineRecordedBackfill9999999999999,
  ],
};
