import { Readable } from 'node:stream';
import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import { geoJsonRows } from './geojson-rows.js';
import type { SentRow } from './sent-row.js';
import { textOf } from './text.js';

async function read(text: string, size: number): Promise<SentRow[]> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
  const rows: SentRow[] = [];
  for await (const row of geoJsonRows(textOf(Readable.from(pieces), new AbortController().signal))) rows.push(row);
  return rows;
}

const word = fc.oneof(
  fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', '"features":[', 'ß', '🏠', '\ufeff'),
  fc.string({ maxLength: 5 }),
);
const lots = fc.array(
  word.filter((text) => text !== ''),
  { maxLength: 5 },
);

test('the features of a collection become rows, whatever text they contain and wherever the file is split', async () => {
  await fc.assert(
    fc.asyncProperty(lots, word, fc.constantFrom(1, 2, 3, 7, 5_000), fc.constantFrom(0, 2), async (texts, name, size, space) => {
      const features = texts.map((lot_id) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [16.5, 48.25] },
        properties: { lot_id },
      }));
      const collection = { name, bbox: [1, 2, [3]], features, type: 'FeatureCollection', more: [[name], { features: [1] }] };
      const expected = features.map((feature, index) => ({
        place: index + 1,
        fields: { lot_id: feature.properties.lot_id, latitude: 48.25, longitude: 16.5 },
        sent: feature,
      }));
      const rows = await read(JSON.stringify(collection, undefined, space), size);
      expect(rows.map((row) => ({ ...row, sent: JSON.parse(row.sent as string) as object }))).toEqual(expected);
    }),
    { numRuns: volume(50, 300, 1_000) },
  );
});
