import { AccessNode } from './access-nodes/access-node.entity.js';
import { AccessNode1763683200000 } from './migrations/1763683200000-access-node.js';

/** What of this service the database knows. */
export const schema = { entities: [AccessNode], migrations: [AccessNode1763683200000] };
