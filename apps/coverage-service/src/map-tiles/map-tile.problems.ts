import { Problem } from '@fibre/problems';
import { MAX_ZOOM } from '../geography/map-tile.js';

export const noSuchTile = (): Problem =>
  new Problem(404, 'not-found', 'Not found', { detail: `There is no such tile: z is 0 to ${MAX_ZOOM}, x and y are 0 to 2^z - 1.` });
