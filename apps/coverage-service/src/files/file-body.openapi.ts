import { EXAMPLE_RELATION } from '../access-nodes/access-node.examples.js';

/** For the OpenAPI document; `FileOfNodes` is a string, so that the docs pages do not treat it as JSON. */
export const FILE_BODY = {
  required: true,
  description:
    'A table with a header (`text/csv`, `text/tab-separated-values`), one JSON object per line (`application/x-ndjson`), or a FeatureCollection of Points (`application/geo+json`).',
  schema: { oneOf: [{ type: 'string', description: 'The file.' }] },
  examples: {
    csv: {
      summary: 'CSV',
      value: `relation_id,token,latitude,longitude,technology\n${EXAMPLE_RELATION},planned,48.208555,16.372966,ftth\n`,
    },
    ndjson: {
      summary: 'Newline-delimited JSON',
      value: `{"relation_id":"${EXAMPLE_RELATION}","token":"planned","center":"48.208555, 16.372966"}\n`,
    },
    geojson: {
      summary: 'GeoJSON',
      value: JSON.stringify({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [16.372966, 48.208555] },
            properties: { relation_id: EXAMPLE_RELATION, token: 'planned' },
          },
        ],
      }),
    },
  },
};
