import { indexMigration } from '@fibre/database';
import { mapIndexes } from './1764374400000-map-key.js';

/**
 * The map indexes, now with the stage of each node. Cells count the nodes of each stage; without the stage in the index, PostgreSQL reads
 * the table for each node, and a tile takes ten times as long.
 */
export const MapStages1765065600000 = indexMigration(
  'MapStages1765065600000',
  { build: mapIndexes('access_node_stages', 'position, token'), drop: mapIndexes('access_node_map', 'position') },
  { analyzed: 'access_node' },
);
