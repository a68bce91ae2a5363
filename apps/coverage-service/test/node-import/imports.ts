import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Response } from 'supertest';
import { type Client, SEARCH } from '../access-nodes/access-nodes.js';

export const IMPORT = '/v2/cov/nodes/import';
export const EXPORT = '/v2/cov/nodes/export';
export const SEARCH_EXPORT = `${SEARCH}export`;

/** Media types by format. */
export const TYPES = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  ndjson: 'application/x-ndjson',
  geojson: 'application/geo+json',
} as const;
export type FileFormat = keyof typeof TYPES;
export const FILE_FORMATS = Object.keys(TYPES) as FileFormat[];

export interface Sending {
  readonly format?: FileFormat;
  readonly query?: Record<string, string>;
  readonly gzip?: boolean;
  readonly key?: string;
}

/** Sends a file to import. */
export const importFile = async (client: Client, file: string | Buffer, sending?: Sending): Promise<Response> =>
  sendFile(client, IMPORT, file, sending);

/** Sends a file of places to search; the `body` of the response is its text. */
export const searchFile = async (client: Client, file: string | Buffer, sending?: Sending): Promise<Response> =>
  sendFile(client, SEARCH, file, sending)
    .buffer(true)
    .parse(
      (response, done) =>
        // Unlike text, this keeps a byte order mark.
        void buffer(response as unknown as Readable).then(
          (body) => done(null, body.toString()),
          (error: Error) => done(error, ''),
        ),
    );

function sendFile(client: Client, path: string, file: string | Buffer, { format = 'csv', query = {}, gzip, key }: Sending = {}) {
  const bytes = gzip ? gzipSync(file) : Buffer.from(file);
  return client
    .post(path)
    .query(query)
    .set({
      'content-type': TYPES[format],
      ...(gzip && { 'content-encoding': 'gzip' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    })
    .serialize((body) => body as string)
    .send(bytes as unknown as string);
}

/** The text of an export. */
export async function exportFile(client: Client, format: FileFormat, query: Record<string, string> = {}, path = EXPORT): Promise<string> {
  const answer = await client
    .get(path)
    .query({ format, ...query })
    .buffer(true)
    .parse(
      (response, done) =>
        void text(response as unknown as Readable).then(
          (body) => done(null, body),
          (error: Error) => done(error, ''),
        ),
    );
  if (answer.status !== 200) throw new Error(`the export failed: ${answer.status} ${answer.body}`);
  return answer.body as string;
}

/** The status and counts of a response. */
export const counts = ({ status, body: { rows, created, updated, unchanged, refused, deleted } }: Response) => ({
  status,
  rows,
  created,
  updated,
  unchanged,
  refused,
  deleted,
});
export const done = (given: Partial<Record<'rows' | 'created' | 'updated' | 'unchanged' | 'refused' | 'deleted', number>>) => ({
  status: 200,
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  deleted: 0,
  ...given,
});
