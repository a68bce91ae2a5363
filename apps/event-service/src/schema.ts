import { UnsettledSince, WriteTime } from '@fibre/settled-time';
import { Webhook } from '@fibre/webhooks';
import { Closing } from './closings/closing.entity.js';
import { Distribution } from './citus/distribution.js';
import { EventFunctions } from './event-functions/event-functions.sql.js';
import { Isp } from './isps/isp.entity.js';
import { Initial1763683200000 } from './migrations/1763683200000-initial.js';
import { Namespace } from './namespaces/namespace.entity.js';

/** Entities and migrations of this service. Events and timelines have no entity, because only the SQL of their features uses them. */
export const schema = {
  entities: [Closing, Isp, Namespace, Webhook],
  migrations: [Initial1763683200000, WriteTime, UnsettledSince, EventFunctions, Distribution],
};
