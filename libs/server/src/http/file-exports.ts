import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Limit, Limits, Statement } from '@fibre/database';
import { ApiProblems } from '@fibre/problems';
import { Produces } from '@fibre/validation';
import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { requireChunks, sendBytes, sendHead, type StreamedFile } from './streamed-file.js';

/** Milliseconds that an export waits for the tenant's previous export. */
const MAX_WAIT_MS = 5_000;

/**
 * Milliseconds until a tenant's next export if the client disconnected during the last one: ending a COPY early costs its database
 * connection.
 */
const PAUSE_MS = 1_000;

/** A format in which PostgreSQL writes the result of a statement. */
export interface CopyFormat extends Omit<StreamedFile, 'name'> {
  /** Options of COPY. */
  readonly options: string;
}

/** Formats that write columns as a table, and one that writes a single column of JSON, one value per line. */
export const COPY_FORMATS = {
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', options: 'format csv, header', through: crlfRecords },
  tsv: { mediaType: 'text/tab-separated-values; charset=utf-8', options: `format csv, header, delimiter E'\\t'` },
  // JSON text contains neither of these two characters, so COPY quotes nothing.
  ndjson: { mediaType: 'application/x-ndjson', options: `format csv, quote E'\\x01', delimiter E'\\x02'` },
} as const satisfies Record<string, CopyFormat>;

/** The media type without its parameters. */
export const mediaTypeOf = ({ mediaType }: CopyFormat): string => mediaType.split(';', 1)[0]!;

/** Sends the results of statements as files. */
export class FileExports {
  private readonly limit: Limit;

  /** @param maxMs milliseconds after which an export ends and its connection closes */
  constructor(
    private readonly database: Database,
    limits: Limits,
    private readonly maxMs: number,
  ) {
    this.limit = limits.add('exports', { perClient: 1, maxWaitMs: MAX_WAIT_MS });
  }

  /** Streams a file from a single snapshot; each tenant gets one file at a time. */
  async send(response: Response, tenant: string, file: CopyFormat & StreamedFile, statement: Statement): Promise<void> {
    if (response.req.method === 'HEAD') return void sendHead(response, file).end();
    requireChunks(response.req);
    const send = (bytes: Readable): Promise<void> => sendBytes(response, file, bytes);
    await this.limit.run(tenant, async () => {
      if (response.destroyed) return;
      try {
        await this.database.copyOut(statement, file.options, send, this.maxMs);
      } finally {
        if (response.destroyed && !response.writableFinished) await sleep(PAUSE_MS);
      }
    });
  }
}

/** Declares and documents the file that an export returns. @param headers descriptions of additional headers */
export const ExportsFile = (formats: readonly CopyFormat[], headers: Readonly<Record<string, string>> = {}): MethodDecorator =>
  applyDecorators(
    ApiProblems({ 426: ['http-version'] }),
    Produces(...formats.map(mediaTypeOf)),
    ApiOkResponse({
      description: 'The file.',
      schema: { type: 'string' },
      headers: Object.fromEntries(
        Object.entries({ 'Content-Disposition': 'Suggested file name.', ...headers }).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
    }),
  );

/** Ends CSV records with CRLF (RFC 4180); PostgreSQL uses LF. Line feeds within quotes are part of values. */
export async function* crlfRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isQuoted = false;
  for await (const chunk of bytes) {
    // Latin-1 has one character per byte, so no chunk ends within a character.
    const parts = chunk.toString('latin1').split('"');
    const changed = parts.map((part, index) => {
      if (index > 0) isQuoted = !isQuoted;
      return isQuoted ? part : part.replaceAll('\n', '\r\n');
    });
    yield Buffer.from(changed.join('"'), 'latin1');
  }
}
