interface Described {
  readonly description?: string;
}
interface Schema extends Described {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
}
interface Answer extends Described {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation extends Described {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly (Described & { name: string; required?: boolean; example?: unknown; schema: Schema })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema; readonly examples?: object }>> };
  readonly responses: Readonly<Record<string, Answer>>;
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const PROBLEM = 'application/problem+json';
/** Of every operation, for a token is asked for everywhere and any request may meet a busy service. */
const STATUSES = ['400', '401', '403', '406', '422', '500', '503'];
const HEADERS: Readonly<Record<string, string>> = {
  401: 'WWW-Authenticate',
  403: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** What is wrong in an OpenAPI document by the rules of the house; a list of places, empty when all is well. */
export function documentFaults({ paths, components: { schemas } }: ApiDocument): string[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ place: `${method.toUpperCase()} ${path}`, operation })),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  const requests = new Set(operations.flatMap(({ operation }) => schemasOf(operation.requestBody, schemas)));
  return [
    ...operations.flatMap(({ place, operation }) => operationFaults(operation).map((fault) => `${place}: ${fault}`)),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two operations are named ${id}`),
    ...Object.entries(schemas).flatMap(([name, schema]) => schemaFaults(schema, requests.has(name)).map((fault) => `${name}: ${fault}`)),
  ];
}

function operationFaults({ operationId, summary, description, tags, security, parameters, requestBody, responses }: Operation): string[] {
  const faults: string[] = [];
  const need = (there: unknown, what: string): void => void (there || faults.push(`no ${what}`));
  need(/^[a-z][A-Za-z]+$/.test(operationId ?? ''), 'operationId');
  need(summary && description, 'summary and description');
  need(tags?.length, 'tag');
  need(security?.length, 'security');
  for (const { name, required, description: text, example, schema } of parameters ?? []) {
    need(text, `description of ${name}`);
    need(schema.type, `type of ${name}`);
    // The pages would send it with every request that is tried.
    need(required || (example ?? schema.example) === undefined, `reason to fill in ${name}, which is optional,`);
  }
  for (const { schema, examples } of Object.values(requestBody?.content ?? {})) {
    need(schema.$ref ?? schema.oneOf, 'named schema of the body');
    need(examples && Object.keys(examples).length > 0, 'example of the body');
  }
  for (const status of [...STATUSES, ...(requestBody ? ['413', '415'] : [])]) need(responses[status], `answer ${status}`);
  need(
    Object.keys(responses).some((status) => status.startsWith('2')),
    'answer for success',
  );
  for (const [status, { description: text, headers, content }] of Object.entries(responses)) {
    need(text, `description of ${status}`);
    need(headers?.['x-request-id'], `x-request-id of ${status}`);
    const header = HEADERS[status];
    if (header !== undefined) need(headers?.[header], `${header} of ${status}`);
    if (Number(status) >= 400) need(content?.[PROBLEM]?.schema.$ref, `problem of ${status}`);
  }
  return faults;
}

function schemaFaults(schema: Schema, isRequest: boolean): string[] {
  const faults = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description ? [] : [`no description of ${name}`]),
    // Generators take a member with a default for one that is always there.
    ...(isRequest && property.default !== undefined ? [`a default of ${name}`] : []),
  ]);
  if (isRequest && schema.properties && schema.additionalProperties !== false) faults.push('unknown members are allowed');
  return [
    ...faults,
    ...(schema.required ?? []).filter((name) => !schema.properties?.[name]).map((name) => `no ${name}, which is required`),
  ];
}

/** Names of the schemas that a part of the document leads to. */
function schemasOf(part: unknown, schemas: ApiDocument['components']['schemas'], found = new Set<string>()): string[] {
  for (const [, name] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name!)) continue;
    found.add(name!);
    schemasOf(schemas[name!], schemas, found);
  }
  return [...found];
}
