import { withClient } from '@fibre/embedded-postgres';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'supertest';
import type { TestService } from '../test-service.js';

type Client = Awaited<ReturnType<TestService['as']>>;
type Operation = OpenAPIObject['paths'][string]['get'] & object;
type Rows = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Prepares what an operation needs, and returns the request, for somebody else to send. */
export type Prepare = () => Send | Promise<Send>;
type Send = (by: Client) => PromiseLike<Response>;

const READS = 'get';

/** A text that nothing else in a response contains. */
export const AUTHOR = 'Änne “the author” Österreicher';

/** The writes of webhooks, which both services have. @param owner the client whose webhooks are changed */
export function webhookWrites(path: string, feed: string, owner: () => Client): Record<string, Prepare> {
  const create: Send = (by) => by.post(path).send({ url: 'https://crm.example/hook', feed, enabled: false });
  const change = (send: (by: Client, url: string) => PromiseLike<Response>): Prepare => {
    return async () => {
      const { webhook_id } = (await create(owner())).body as { webhook_id: string };
      return (by) => send(by, `${path}${webhook_id}/`);
    };
  };
  return {
    createWebhook: () => create,
    updateWebhook: change((by, url) => by.patch(url).send({ description: 'changed' })),
    rotateWebhookSecret: change((by, url) => by.post(`${url}rotate/`)),
    testWebhook: change((by, url) => by.post(`${url}test/`)),
    deleteWebhook: change((by, url) => by.delete(url)),
  };
}

const operationsOf = ({ paths }: OpenAPIObject): { path: string; method: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({ path, method, operation })),
  );

/**
 * Sends each write of an OpenAPI document as a person of its own, and compares all rows of the database before and after.
 *
 * @param requests by operation id
 * @returns for each operation, the columns that name that person
 * @throws Error if an operation has no request or its request fails, or if a row that it wrote does not name the person
 */
export async function authorsOfWrites(
  service: TestService,
  document: OpenAPIObject,
  scope: string,
  requests: Readonly<Record<string, Prepare>>,
): Promise<Record<string, string[]>> {
  const columns: Record<string, string[]> = {};
  for (const { method, operation } of operationsOf(document)) {
    const id = operation.operationId!;
    if (method === READS) continue;
    if (!requests[id]) throw new Error(`${id} has no request: does it leave an author on what it writes?`);
    const send = await requests[id]();
    const author = `author of ${id}`;
    const before = await authoredRows(service.databaseUrl);
    const { status, text } = await send(await service.as({ scope, claims: { preferred_username: author } }));
    if (status >= 300) throw new Error(`${id} failed: ${status} ${text}`);
    const named = new Set<string>();
    for (const [key, row] of await authoredRows(service.databaseUrl)) {
      const known = before.get(key);
      if (JSON.stringify(row) === JSON.stringify(known)) continue;
      const [table] = key.split(' ');
      const expected = known && 'modified_by' in row ? ['modified_by'] : ['created_by'];
      const found = ['created_by', 'modified_by'].filter((column) => row[column] === author);
      if (!expected.every((column) => found.includes(column))) throw new Error(`${id} left no author in ${table}: ${JSON.stringify(row)}`);
      for (const column of found) named.add(`${table}.${column}`);
    }
    columns[id] = [...named].sort();
  }
  return columns;
}

const AUTHORED = `select c.table_name as name from information_schema.columns c where c.table_schema = 'public' and c.column_name = 'created_by'`;
const TABLES = `select t.table_name as name from information_schema.tables t where t.table_schema = 'public' and t.table_type = 'BASE TABLE'`;
const KEY = `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
  where i.indisprimary and i.indrelid = $1::regclass order by a.attnum`;

/** The rows of all tables that have authors, by table and key. */
const authoredRows = (databaseUrl: string): Promise<Rows> =>
  withClient(databaseUrl, async (client) => {
    const rows = new Map<string, Readonly<Record<string, unknown>>>();
    for (const { name } of (await client.query<{ name: string }>(AUTHORED)).rows) {
      const key = (await client.query<{ name: string }>(KEY, [name])).rows.map((column) => column.name);
      for (const { row } of (await client.query<{ row: Record<string, unknown> }>(`select to_jsonb(t) as row from ${name} t`)).rows)
        rows.set(`${name} ${JSON.stringify(key.map((column) => row[column]))}`, row);
    }
    return rows;
  });

/** The tables whose rows name nobody. */
export const tablesWithoutAuthors = (databaseUrl: string): Promise<string[]> =>
  withClient(databaseUrl, async (client) =>
    (await client.query<{ name: string }>(`${TABLES} except ${AUTHORED} order by name`)).rows.map(({ name }) => name),
  );

/** What a client sends to the operations that read, besides their paths. */
export interface ReadValues {
  /** Values of parameters in paths, and of all other required ones. */
  readonly required: Readonly<Record<string, string>>;
  /** Further parameters of single operations. */
  readonly queries?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A response, with its body as it was sent. */
export interface RawResponse {
  readonly status: number;
  readonly bytes: Buffer;
}

/** Sends each read of an OpenAPI document, in each format that it has, and returns the responses by operation and format. */
export async function readEverything(
  service: TestService,
  document: OpenAPIObject,
  token: string,
  { required, queries = {} }: ReadValues,
): Promise<Map<string, RawResponse>> {
  const responses = new Map<string, RawResponse>();
  for (const { path, method, operation } of operationsOf(document).filter((one) => one.method === READS)) {
    const id = operation.operationId!;
    const parameters = (operation.parameters ?? []) as { name: string; in: string; required?: boolean; schema: { enum?: string[] } }[];
    const valueOf = (name: string): string => {
      if (required[name] === undefined) throw new Error(`${method} ${path} needs a value for ${name}`);
      return encodeURIComponent(required[name]);
    };
    const formats = parameters.find(({ name }) => name === 'format')?.schema.enum ?? [undefined];
    for (const format of formats) {
      const query = new URLSearchParams({ ...queries[id], ...(format && { format }) });
      for (const { name } of parameters.filter((one) => one.in === 'query' && one.required))
        query.set(name, required[name] ?? valueOf(name));
      const url = `${service.url}${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => valueOf(name))}?${query.toString()}`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      const bytes = Buffer.from(await response.arrayBuffer());
      responses.set([id, format].filter(Boolean).join(' '), { status: response.status, bytes });
    }
  }
  return responses;
}

/** The responses that contain a text, also as JSON writes it. */
export const naming = (responses: ReadonlyMap<string, RawResponse>, text: string): string[] =>
  [...responses]
    .filter(([, { bytes }]) => bytes.includes(text) || bytes.includes(JSON.stringify(text).slice(1, -1)))
    .map(([name]) => name)
    .sort();
