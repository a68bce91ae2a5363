import { problemResponse, ProblemResponse } from '@fibre/problems';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { COSTS_EXTENSION, type Deprecation, DEPRECATION_EXTENSION, type RouteCosts } from '../http/operation.js';

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; description?: string };
type Content = Record<string, { schema?: object; examples?: Record<string, unknown> }>;
type Response = Record<string, unknown> & { headers?: object; content?: Content; 'x-codes'?: readonly string[] };
interface Operation {
  description?: string;
  deprecated?: boolean;
  /** From when the operation may be gone; oasdiff reads it (tools/release/compare-apis). */
  'x-sunset'?: string;
  [COSTS_EXTENSION]?: RouteCosts;
  [DEPRECATION_EXTENSION]?: Deprecation;
  requestBody?: { description?: string; content: Content };
  responses: Record<string, Response>;
}

/** Responses that every operation can have. */
const CODES_OF_EVERY_OPERATION: Readonly<Record<number, readonly string[]>> = {
  400: ['malformed-request'],
  406: ['not-acceptable'],
  422: ['invalid-request'],
  500: ['internal-error'],
  503: ['unavailable'],
};
/** Additional responses that a writing operation can have. */
const CODES_OF_WRITES = { ...CODES_OF_EVERY_OPERATION, 503: ['outcome-unknown', 'unavailable'] };
/** Codes of responses that belong to no operation: the path or method is unknown, or the body is too slow. */
const CODES_OF_NO_OPERATION = ['route-not-found', 'route-closed', 'method-not-allowed', 'bad-request', 'request-timeout'];

const HEADERS = {
  RequestId: {
    description: 'Id of the request in the log: the `x-request-id` of the request if it is valid, otherwise a new id.',
    required: true,
    schema: { type: 'string' },
  },
  Challenge: { description: 'What kind of token is required (RFC 6750 section 3).', required: true, schema: { type: 'string' } },
  RetryAfter: {
    description: 'Seconds to wait before sending the same request again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
};
const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });
/** Response headers that only depend on the status. */
const headersOf = (status: string) => ({
  'x-request-id': header('RequestId'),
  ...((status === '401' || status === '403') && { 'WWW-Authenticate': header('Challenge') }),
  ...((status === '429' || status === '503') && { 'Retry-After': header('RetryAfter') }),
});

/** In each response of a deprecated operation. */
const DEPRECATION_HEADERS = {
  Deprecation: { description: 'Since when the operation is deprecated (RFC 9745).', required: true, schema: { type: 'string' } },
  Sunset: { description: 'From when the operation may be gone (RFC 8594).', required: true, schema: { type: 'string' } },
};

/**
 * In words and not as a second media type: openapi-python-client 0.29.1 makes a module that Python cannot import (`Unset` is not defined)
 * for an operation with two media types and no optional parameter.
 */
const MERGE_PATCH = 'A JSON merge patch (RFC 7396). `application/merge-patch+json` is accepted as well.';

const GEOJSON = 'application/geo+json';
const FEATURE_COLLECTION = {
  type: 'object',
  required: ['type', 'features'],
  properties: {
    type: { type: 'string', enum: ['FeatureCollection'] },
    features: { type: 'array', items: { type: 'object', additionalProperties: true } },
  },
};

/** Adds what every operation has in common, so that no controller needs to repeat it. */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  const schemas = document.components!.schemas as Record<string, Schema>;
  const byMethod = Object.values(document.paths).flatMap((path) => Object.entries(path as Record<string, Operation>));
  const operations = byMethod.map(([, operation]) => operation);
  for (const [method, operation] of byMethod) {
    describeCosts(operation);
    if (method === 'patch') operation.requestBody!.description = MERGE_PATCH;
    const deprecation = takeDeprecation(operation);
    for (const [status, codes] of Object.entries(method === 'get' ? CODES_OF_EVERY_OPERATION : CODES_OF_WRITES))
      operation.responses[status] ??= problemResponse(Number(status), codes);
    for (const [status, response] of Object.entries(operation.responses))
      response.headers = { ...response.headers, ...headersOf(status), ...(deprecation && DEPRECATION_HEADERS) };
  }
  for (const { requestBody, responses } of operations)
    for (const { content } of [requestBody ?? {}, ...Object.values(responses)]) if (content) tellApart(content);
  for (const name of new Set(operations.flatMap(({ requestBody }) => schemasIn(requestBody, schemas)))) closeRequest(schemas[name]!);
  const patches = byMethod.flatMap(([method, { requestBody }]) => (method === 'patch' ? schemasIn(requestBody, schemas) : []));
  for (const [name, schema] of Object.entries(schemas)) if (!patches.includes(name)) leaveOutNull(schema);

  nameCodes(operations, schemas);
  markDoubles(document);
  document.components!.headers = HEADERS;
  return document;
}

const inWords = (ms: number): string => (ms < 600_000 ? `${ms / 1_000} s` : `${ms / 60_000} minutes`);

/** Says what a client may have to wait for, from what the route declares. */
function describeCosts(operation: Operation): void {
  const { timeLimitMs, lockWaitMs } = operation[COSTS_EXTENSION] ?? {};
  delete operation[COSTS_EXTENSION];
  const sentences = [
    timeLimitMs !== undefined && `A request may take up to ${inWords(timeLimitMs)}.`,
    lockWaitMs !== undefined && `A request waits up to ${inWords(lockWaitMs)} for other work on the same nodes, such as an import.`,
  ].filter((sentence) => sentence !== false);
  if (sentences.length > 0) operation.description = [operation.description, ...sentences].join(' ');
}

/** Marks an operation as deprecated, if its route is. */
function takeDeprecation(operation: Operation): Deprecation | undefined {
  const deprecation = operation[DEPRECATION_EXTENSION];
  delete operation[DEPRECATION_EXTENSION];
  if (deprecation) {
    Object.assign(operation, { deprecated: true, 'x-sunset': deprecation.sunset });
    operation.description = [operation.description, `Deprecated; may be gone from ${deprecation.sunset}.`].filter(Boolean).join(' ');
  }
  return deprecation;
}

/**
 * Nest gives all media types of a body the same schema and examples. But GeoJSON is an object where other files are text, and an example
 * that is named after a media type belongs to this one only.
 */
function tellApart(content: Content): void {
  for (const [mediaType, body] of Object.entries(content)) {
    if (mediaType === GEOJSON) body.schema = { oneOf: [FEATURE_COLLECTION] };
    const examples = Object.entries(body.examples ?? {}).filter(([name]) => name === mediaType || !(name in content));
    if (examples.length > 0) body.examples = Object.fromEntries(examples);
    else delete body.examples;
  }
}

/** Documents each problem schema with its codes; the general schema also has the codes that belong to no operation. */
function nameCodes(operations: readonly Operation[], schemas: Record<string, Schema>): void {
  const codesOf = new Map<string, Set<string>>([[ProblemResponse.name, new Set(CODES_OF_NO_OPERATION)]]);
  for (const response of operations.flatMap(({ responses }) => Object.values(responses))) {
    const [name] = response['x-codes'] ? schemasIn(response['content'], schemas) : [];
    if (name !== undefined) codesOf.set(name, new Set([...(codesOf.get(name) ?? []), ...response['x-codes']!]));
  }
  for (const [name, codes] of codesOf) schemas[name]!.properties!['code']!['enum'] = [...codes].sort();
}

/** Without a format, Go clients read numbers with 32 bits: 310000.27 becomes 310000.28. */
function markDoubles(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if ('type' in part && [part.type].flat().includes('number')) Object.assign(part, { format: 'double' });
  for (const value of Object.values(part)) markDoubles(value);
}

/** Names of the schemas that a part of the document references. */
function schemasIn(part: unknown, schemas: Record<string, Schema>, found = new Set<string>()): string[] {
  for (const [, name] of JSON.stringify(part ?? null).matchAll(new RegExp(`"${getSchemaPath('([^"]+)')}"`, 'g'))) {
    if (found.has(name!)) continue;
    found.add(name!);
    schemasIn(schemas[name!], schemas, found);
  }
  return [...found];
}

/** Requests are strict. A member with a default may be omitted, but code generators only make it optional if it has no `default`. */
function closeRequest(schema: Schema): void {
  if (!schema.properties) return;
  schema['additionalProperties'] = false;
  for (const property of Object.values(schema.properties)) {
    if (property['default'] === undefined) continue;
    property.description = `${property.description} \`${property['default'] as string | number}\` if absent.`;
    delete property['default'];
  }
}

/**
 * Only in a merge patch does `null` mean something: elsewhere it means absent, which the description of the document says. Code generators
 * make a client that does not compile, or none at all, of an object that can be `null`.
 */
function leaveOutNull({ properties = {} }: Schema): void {
  for (const property of Object.values(properties)) {
    const { type, enum: values } = property;
    if (!Array.isArray(type)) continue;
    property['type'] = type.find((name) => name !== 'null');
    if (Array.isArray(values)) property['enum'] = values.filter((value) => value !== null);
  }
}
