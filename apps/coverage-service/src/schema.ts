import { UnsettledSince, WriteTime } from '@fibre/settled-time';
import { Webhook } from '@fibre/webhooks';
import { AccessNode } from './access-nodes/access-node.entity.js';
import { Initial1763683200000 } from './migrations/1763683200000-initial.js';
import { NoteDeletions } from './node-changes/node-changes.sql.js';
import { BeginPublication } from './node-changes/publication.sql.js';
import { Relation } from './relations/relation.entity.js';

/** Entities and migrations of this service. */
export const schema = {
  entities: [AccessNode, Relation, Webhook],
  migrations: [Initial1763683200000, WriteTime, UnsettledSince, NoteDeletions, BeginPublication],
};
