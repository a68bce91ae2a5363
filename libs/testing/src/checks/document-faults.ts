import type { OpenAPIObject } from '@nestjs/swagger';

type Schema = Exclude<NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string], { $ref: string }>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;
type Body = Exclude<NonNullable<Operation['requestBody']>, { $ref: string }>;
type Responses = Record<string, Exclude<Operation['responses'][string], { $ref: string } | undefined>>;

const PROBLEM = 'application/problem+json';
const MERGE_PATCH = 'application/merge-patch+json';
/** Responses that every operation must document, because each needs a token and any request may reach a busy service. */
const STATUSES = ['400', '401', '403', '406', '422', '500', '503'];
const HEADERS: Readonly<Record<string, string>> = {
  401: 'WWW-Authenticate',
  403: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** Lists where an OpenAPI document violates our rules. */
export function documentFaults({ paths, components, tags = [] }: OpenAPIObject): string[] {
  const schemas = (components?.schemas ?? {}) as Record<string, Schema>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      place: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const [shown, used] = [tags.map(({ name }) => name), new Set(operations.flatMap(({ operation }) => operation.tags ?? []))];
  const ids = operations.map(({ operation }) => operation.operationId);
  const requests = new Set(operations.flatMap(({ operation }) => schemasOf(operation.requestBody, schemas)));
  const patches = new Set(
    operations.flatMap(({ place, operation }) => (place.startsWith('PATCH') ? schemasOf(operation.requestBody, schemas) : [])),
  );
  return [
    ...operations.flatMap(({ place, operation }) => operationFaults(operation).map((fault) => `${place}: ${fault}`)),
    ...operations
      .filter(({ place, operation }) => place.startsWith('PATCH') && !(operation.requestBody as Body).description?.includes(MERGE_PATCH))
      .map(({ place }) => `${place} does not say that it accepts ${MERGE_PATCH}`),
    ...[...used].filter((tag) => !shown.includes(tag)).map((tag) => `the list of tags, which is their order on the page, lacks ${tag}`),
    ...shown.filter((tag) => !used.has(tag)).map((tag) => `no operation has the tag ${tag}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two operations are named ${id}`),
    // oapi-codegen gives this name to what it generates for the operation.
    ...ids
      .filter((id) => schemas[`${id![0]!.toUpperCase()}${id!.slice(1)}Response`])
      .map((id) => `a schema is named like a response of ${id}`),
    // OpenAPI Generator gives this name to the parameters of the operation in TypeScript, unless it is the operation's own body.
    ...operations
      .map(({ operation }) => ({
        ...operation,
        name: `${operation.operationId![0]!.toUpperCase()}${operation.operationId!.slice(1)}Request`,
      }))
      .filter(({ name, requestBody }) => schemas[name] && !schemasOf(requestBody, schemas).includes(name))
      .map(({ name }) => `${name} is not the body of that operation`),
    ...typeFaults(paths, components),
    ...Object.entries(schemas).flatMap(([name, schema]) => schemaFaults(schema, requests.has(name)).map((fault) => `${name}: ${fault}`)),
    ...Object.entries(schemas).flatMap(([name, schema]) => nullFaults(schema, patches.has(name)).map((fault) => `${name}: ${fault}`)),
  ];
}

function operationFaults({ operationId, summary, description, tags, security, parameters, requestBody, responses }: Operation): string[] {
  const faults: string[] = [];
  const need = (there: unknown, what: string): void => void (there || faults.push(`no ${what}`));
  need(/^[a-z][A-Za-z]+$/.test(operationId ?? ''), 'operationId');
  need(summary && description, 'summary and description');
  // Generators make names of classes and modules from it: `ISPs` becomes `is_ps`.
  need(
    tags?.every((tag) => /^[A-Z][a-z]+( [a-z]+)*$/.test(tag)),
    'tag of words',
  );
  need(security?.length, 'security');
  for (const { name, required, description, example, schema } of (parameters ?? []) as Parameter[]) {
    need(description, `description of ${name}`);
    need((schema as Schema).type, `type of ${name}`);
    need(!allowsNul(schema as Schema), `pattern of ${name} that excludes NUL`);
    // The docs page would send the example with every request that a reader tries.
    need(required || (example ?? (schema as Schema).example) === undefined, `reason for an example of ${name}, which is optional`);
  }
  const contents = Object.values((requestBody as Body | undefined)?.content ?? {});
  // Generated clients choose the media type by the schema.
  need(contents.filter(({ schema }) => schema && '$ref' in schema).length <= 1, 'single media type of the body');
  for (const { schema, examples } of contents) {
    need(schema && ('$ref' in schema || schema.oneOf), 'named schema of the body');
    need(Object.keys(examples ?? {}).length, 'example of the body');
  }
  for (const status of [...STATUSES, ...(requestBody ? ['413', '415'] : [])]) need(responses[status], `response ${status}`);
  const success = Object.keys(responses).some((status) => status.startsWith('2'));
  need(success, 'response for success');
  for (const content of [requestBody as Body | undefined, ...Object.values(responses as Responses)].map((part) => part?.content ?? {}))
    for (const [mediaType, { schema }] of Object.entries(content))
      need(!mediaType.endsWith('json') || mediaType.endsWith('ndjson') || (schema as Schema).type !== 'string', `JSON in ${mediaType}`);
  for (const [status, { description, headers, content }] of Object.entries(responses as Responses)) {
    need(description, `description of ${status}`);
    need(headers?.['x-request-id'], `x-request-id of ${status}`);
    const header = HEADERS[status];
    if (header !== undefined) need(headers?.[header], `${header} of ${status}`);
    // Many generated clients cannot tell alternatives apart: they ignore unknown members, and do not miss required ones.
    for (const { schema } of Object.values(content ?? {}) as { schema?: Schema }[])
      need((schema?.oneOf ?? schema?.anyOf ?? []).length < 2, `single schema of ${status}`);
    const problem = content?.[PROBLEM]?.schema;
    if (Number(status) >= 400) need(problem && '$ref' in problem, `problem of ${status}`);
  }
  return faults;
}

function schemaFaults({ properties = {}, required = [], additionalProperties }: Schema, isRequest: boolean): string[] {
  const members = Object.entries(properties as Record<string, Schema>);
  return [
    ...members.filter(([, { description }]) => !description).map(([name]) => `no description of ${name}`),
    // Generators treat a member with a default as always present.
    ...members.filter(([, member]) => isRequest && member.default !== undefined).map(([name]) => `a default of ${name}`),
    ...members.filter(([, member]) => isRequest && allowsNul(member)).map(([name]) => `no pattern of ${name} that excludes NUL`),
    ...(isRequest && members.length > 0 && additionalProperties !== false ? ['unknown members are allowed'] : []),
    ...required.filter((name) => !properties[name]).map((name) => `no ${name}, which is required`),
  ];
}

/** Types that generated clients get wrong: see complete-document.ts and field-decorators.ts. */
function typeFaults(...parts: readonly unknown[]): string[] {
  const schemas = parts.flatMap((part) => (typeof part === 'object' && part !== null ? [part as Schema] : []));
  return schemas.flatMap((schema) => [
    ...([schema.type].flat().includes('number') && schema.format !== 'double' ? [`a number without format: ${schema.description}`] : []),
    ...(schema.format === 'date-time' && schema.pattern ? [`a pattern of a time: ${schema.description}`] : []),
    ...typeFaults(...(Object.values(schema) as unknown[])),
  ]);
}

/** PostgreSQL cannot store the NUL character, so no field accepts it. */
const allowsNul = ({ type, format, enum: values, pattern = '' }: Schema): boolean =>
  [type].flat().includes('string') && !format && !values && ['\0', 'a\0', '1\0'].some((text) => new RegExp(pattern, 'u').test(text));

const CLEARED = /^(string|integer|number|boolean),null$/;

/** Members that can be `null`. In a merge patch it clears a member; for objects and lists, generated clients do not compile. */
const nullFaults = ({ properties = {} }: Schema, isPatch: boolean): string[] =>
  Object.entries(properties as Record<string, Schema>)
    .filter(([, { type, anyOf }]) => JSON.stringify([type, anyOf]).includes('"null"') && !(isPatch && CLEARED.test(String(type))))
    .map(([name]) => `null as a value of ${name}`);

/** Names of the schemas that a part of the document references. */
function schemasOf(part: unknown, schemas: Record<string, Schema>, found = new Set<string>()): string[] {
  for (const [, name] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name!)) continue;
    found.add(name!);
    schemasOf(schemas[name!], schemas, found);
  }
  return [...found];
}
