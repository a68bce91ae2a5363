// Writes src/generated/vocabulary.ts, or the given file: values that programs need but that openapi-typescript only generates as types.
import { readFileSync, writeFileSync } from 'node:fs';

const read = (service) => JSON.parse(readFileSync(`../../apps/${service}/openapi.json`, 'utf8'));
const [coverage, events] = [read('coverage-service'), read('event-service')];
const schemas = { ...coverage.components.schemas, ...events.components.schemas };
const valuesOf = (schema, property) => schemas[schema].properties[property].enum;
const search = Object.fromEntries(coverage.paths['/v2/cov/search'].get.parameters.map(({ name, schema }) => [name, schema.default]));

const vocabulary = {
  COLLECTIONS: valuesOf('AccessNodeResponse', 'collection'),
  TOKENS: valuesOf('AccessNodeResponse', 'token'),
  STATUSES: valuesOf('AccessNodeResponse', 'status'),
  /** What an ISP may promise at a node. */
  OFFERS: valuesOf('OfferedNodeResponse', 'offer'),
  /** Fields of a node that a client may set. */
  NODE_FIELDS: Object.keys(schemas.CreateAccessNodeRequest.properties),
  /** Search defaults. */
  SEARCH_DEFAULTS: { search_radius: search.search_radius, limit: search.limit },
  ENTITY_STATES: valuesOf('EntityResponse', 'state'),
  EVENT_TOKENS: events.paths['/api/v2/sys/events'].get.parameters.find(({ name }) => name === 'token').schema.enum,
  EVENT_TYPES: valuesOf('EventResponse', 'event_type'),
};
const lines = Object.entries(vocabulary).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const;`);
writeFileSync(process.argv[2] ?? 'src/generated/vocabulary.ts', ['/** Written by vocabulary.mjs. */', ...lines, ''].join('\n'));
