import { type Database, Limits, type Statement } from '@fibre/database';
import type { CoverageEnv } from '../coverage.env.js';
import { MapTilesService } from './map-tiles.service.js';

test('the tiles of one tenant do not delay those of another', async () => {
  const never = new Promise<never>(() => undefined);
  const run = ({ name, values: [tenant] }: Statement) =>
    tenant === 'ano.busy' ? never : Promise.resolve(name === 'map-count' ? [{ count: 0 }] : []);
  const service = new MapTilesService({ run } as unknown as Database, new Limits(), {} as CoverageEnv);
  const read = (tenant: string): Promise<Buffer | undefined> => service.read(tenant, { z: 0, x: 0, y: 0 }, { target: 'nodes' });
  for (let tiles = 0; tiles < 10; tiles++) read('ano.busy').catch(() => undefined);
  expect(await read('ano.other')).toBeUndefined();
});
