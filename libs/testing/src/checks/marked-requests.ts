import { randomUUID } from 'node:crypto';

/** Part of every text in a marked request. Nothing that contains it may be in the log. */
export const MARK = 'marked-secret';

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
}
interface Operation {
  readonly parameters?: readonly { name: string; in: string; schema?: Schema }[];
  readonly requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
}
export interface MarkedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
export interface MarkedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/**
 * For each operation of an OpenAPI document, a request whose texts are all marked, one whose body cannot be parsed, one with marked texts
 * instead of the ids in its path, and one for a path below it that does not exist.
 */
export function markedRequests(document: MarkedDocument): MarkedRequest[] {
  const methodsOf = (operations: object): string[] => METHODS.filter((method) => method in operations);
  const typed = Object.entries(document.paths).flatMap(([template, operations]) =>
    methodsOf(operations).flatMap((method) => {
      const inPath = template.replaceAll(/\{\w+\}/g, `${MARK}%20${method}`);
      return [inPath, `${inPath}${inPath.endsWith('/') ? '' : '/'}${MARK}/`].map((path) => ({ method, path, headers: {} }));
    }),
  );
  return [...requestsWithMarkedTexts(document), ...typed];
}

function requestsWithMarkedTexts({ paths, components }: MarkedDocument): MarkedRequest[] {
  const valueOf = (schema: Schema, depth = 0): unknown => {
    const known = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)!]! : (schema.oneOf?.[0] ?? schema);
    if (known !== schema) return valueOf(known, depth);
    const [type] = [schema.type].flat();
    if (schema.enum) return schema.enum[0];
    if (schema.format === 'uuid') return randomUUID();
    if (schema.format === 'date-time') return '2026-02-01T16:00:00+01:00';
    if (schema.format === 'date') return '2026-02-01';
    if (schema.format === 'uri') return `https://${MARK}.example/${MARK}`;
    if (schema.format === 'email') return `${MARK}@person.example`;
    if (type === 'array') return [valueOf(schema.items ?? {}, depth + 1)];
    if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
    if (type === 'boolean') return true;
    if (schema.properties && depth < 4)
      return Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, valueOf(each, depth + 1)]));
    return type === 'object' ? { [MARK]: MARK } : `${MARK} ${randomUUID()}`;
  };
  return Object.entries(paths).flatMap(([template, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      if (!operation) return [];
      const { parameters = [], requestBody } = operation;
      const query = new URLSearchParams();
      for (const { name, in: place, schema = {} } of parameters) if (place === 'query') query.set(name, String(valueOf(schema)));
      const inPath = (name: string): string =>
        encodeURIComponent(String(valueOf(parameters.find((each) => each.name === name)?.schema ?? {})));
      const path = `${template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => inPath(name))}?${query.toString()}`;
      const type = Object.keys(requestBody?.content ?? {})[0];
      if (type === undefined) return [{ method, path, headers: {} }];
      const headers = { 'content-type': type };
      const bodies = /json$/.test(type)
        ? [JSON.stringify(valueOf(requestBody!.content[type]!.schema)), `{"name": "${MARK}`, `{"${MARK}": "${MARK}"}`]
        : [`center,customer_reference\n${MARK},${MARK}\n`, `"${MARK}`];
      // Without the query, the body is what is refused or stored.
      return bodies.flatMap((body) => [path, path.split('?')[0]!].map((each) => ({ method, path: each, headers, body })));
    }),
  );
}
