import type { MapTilesRepository } from './map-tiles.repository.js';
import { MapTilesService } from './map-tiles.service.js';

test('the tiles of one tenant do not delay those of another', async () => {
  const never = new Promise<never>(() => undefined);
  const repository = {
    count: ({ tenant }: { tenant: string }) => (tenant === 'ano.busy' ? never : Promise.resolve(0)),
    cells: () => Promise.resolve([]),
    nodes: () => Promise.resolve([]),
  } as unknown as MapTilesRepository;
  const service = new MapTilesService(repository);
  const read = (tenant: string): Promise<Buffer | undefined> => service.read(tenant, { z: 0, x: 0, y: 0 }, { target: 'nodes' });
  for (let tiles = 0; tiles < 10; tiles++) read('ano.busy').catch(() => undefined);
  expect(await read('ano.other')).toBeUndefined();
});
