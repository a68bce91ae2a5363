import { EXAMPLE_RELATION } from '../access-nodes/access-node.js';

/** For the OpenAPI document. Each example belongs to the media type that it is named after. */
export const FILE_BODY = {
  required: true,
  description:
    'A table with a header (`text/csv`, `text/tab-separated-values`), one JSON object per line (`application/x-ndjson`), or a FeatureCollection of Points (`application/geo+json`).',
  schema: { oneOf: [{ type: 'string', description: 'The file.' }] },
  examples: {
    'text/csv': {
      summary: 'CSV',
      value: `relation_id,token,latitude,longitude,technology\n${EXAMPLE_RELATION},planned,48.208555,16.372966,ftth\n`,
    },
    'text/tab-separated-values': {
      summary: 'Tab-separated values',
      value: `relation_id\ttoken\tcenter\n${EXAMPLE_RELATION}\tplanned\t48.208555, 16.372966\n`,
    },
    'application/x-ndjson': {
      summary: 'Newline-delimited JSON',
      value: `{"relation_id":"${EXAMPLE_RELATION}","token":"planned","center":"48.208555, 16.372966"}\n`,
    },
    'application/geo+json': {
      summary: 'GeoJSON',
      value: {
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [16.372966, 48.208555] },
            properties: { relation_id: EXAMPLE_RELATION, token: 'planned' },
          },
        ],
      },
    },
  },
};
