import type { Polygon, Position } from 'geojson';
import { unrolled } from './unrolled.js';

const outline = (ring: Position[]): Position[][] => {
  const { features } = unrolled({ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } });
  return (features[0]!.geometry as Polygon).coordinates;
};

it('does not change a ring that stays within 180 degrees', () => {
  const ring = [[170, 1], [179, 1], [179, 2], [170, 1]]; // prettier-ignore
  expect(outline(ring)).toEqual([ring]);
});

it('continues a ring beyond 180 degrees, in both directions', () => {
  expect(outline([[179, 1], [-179, 1], [-179, 2], [179, 1]])).toEqual([[[179, 1], [181, 1], [181, 2], [179, 1]]]); // prettier-ignore
  expect(outline([[-179, 1], [179, 1], [179, 2], [-179, 1]])).toEqual([[[-179, 1], [-181, 1], [-181, 2], [-179, 1]]]); // prettier-ignore
});

it('closes a ring around a pole through the pole', () => {
  expect(outline([[-150, -70], [0, -75], [150, -70], [-150, -70]])).toEqual([
    [[-150, -70], [0, -75], [150, -70], [210, -70], [210, -90], [-150, -90], [-150, -70]],
  ]); // prettier-ignore
});
