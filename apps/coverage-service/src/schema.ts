import { AccessNode } from './access-nodes/access-node.entity.js';
import { AccessNode1763683200000 } from './migrations/1763683200000-access-node.js';
import { Relation1764288000000 } from './migrations/1764288000000-relation.js';
import { MapKey1764374400000 } from './migrations/1764374400000-map-key.js';
import { ImportAnswer1764460800000 } from './migrations/1764460800000-import-answer.js';
import { ListingFilters1764547200000 } from './migrations/1764547200000-listing-filters.js';
import { Relation } from './relations/relation.entity.js';

/** What of this service the database knows. */
export const schema = {
  entities: [AccessNode, Relation],
  migrations: [AccessNode1763683200000, Relation1764288000000, MapKey1764374400000, ImportAnswer1764460800000, ListingFilters1764547200000],
};
