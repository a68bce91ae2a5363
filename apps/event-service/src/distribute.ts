import { workOnDatabase } from '@fibre/server';
import { distribute } from './distribution/distribution.js';
import { eventService } from './event-service.js';

await workOnDatabase(eventService, 'distribution', async (dataSource) =>
  (await distribute(dataSource)) ? 'the tables are distributed' : 'nothing to do',
);
