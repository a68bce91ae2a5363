/** For the OpenAPI document. */
export const FILE_BODY = {
  required: true,
  description:
    'A table with a header such as `relation_id,token,center` (`text/csv`, `text/tab-separated-values`), one JSON object per line (`application/x-ndjson`), or a FeatureCollection of Points (`application/geo+json`).',
  schema: { oneOf: [{ type: 'string', description: 'The file.' }] },
};
