import { Webhook, Webhook1764892800000, WebhookSince1765238400000 } from '@fibre/changes';
import { AccessNode } from './access-nodes/access-node.entity.js';
import { AccessNode1763683200000 } from './migrations/1763683200000-access-node.js';
import { Relation1764288000000 } from './migrations/1764288000000-relation.js';
import { MapKey1764374400000 } from './migrations/1764374400000-map-key.js';
import { ImportAnswer1764460800000 } from './migrations/1764460800000-import-answer.js';
import { ListingFilters1764547200000 } from './migrations/1764547200000-listing-filters.js';
import { NodeChanges1764806400000 } from './migrations/1764806400000-node-changes.js';
import { NoteDeletions } from './node-changes/node-changes.sql.js';
import { MapStages1765065600000 } from './migrations/1765065600000-map-stages.js';
import { AddressFilter1765152000000 } from './migrations/1765152000000-address-filter.js';
import { SearchTechnology1765324800000 } from './migrations/1765324800000-search-technology.js';
import { Relation } from './relations/relation.entity.js';

/** Entities and migrations of this service. */
export const schema = {
  entities: [AccessNode, Relation, Webhook],
  migrations: [
    AccessNode1763683200000,
    Relation1764288000000,
    MapKey1764374400000,
    ImportAnswer1764460800000,
    ListingFilters1764547200000,
    NodeChanges1764806400000,
    Webhook1764892800000,
    NoteDeletions,
    MapStages1765065600000,
    AddressFilter1765152000000,
    WebhookSince1765238400000,
    SearchTechnology1765324800000,
  ],
};
