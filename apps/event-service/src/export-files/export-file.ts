import { EnumField } from '@fibre/dto';
import { crlfRecords, type StreamedFile } from '@fibre/server';
import { Produces } from '@fibre/validation';
import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const [CSV, NDJSON] = ['text/csv', 'application/x-ndjson'] as const;

/** A file whose records PostgreSQL writes: columns as CSV, or one column with JSON as lines. */
interface CopiedFile extends Omit<StreamedFile, 'name'> {
  /** Options of COPY. */
  readonly options: string;
}

export const EXPORT_FILES: Readonly<Record<ExportFormat, CopiedFile>> = {
  csv: { mediaType: `${CSV}; charset=utf-8; header=present`, options: 'format csv, header', through: crlfRecords },
  // JSON text contains neither of these two characters, so COPY quotes nothing.
  ndjson: { mediaType: NDJSON, options: `format csv, quote E'\\x01', delimiter E'\\x02'` },
};

export const FormatField = (): PropertyDecorator =>
  EnumField(EXPORT_FORMATS, { description: 'Format of the file.', presence: 'if-present', default: 'csv' });

/** Documents the file of an export. @param headers descriptions of more headers */
export const ExportsFile = (headers: Readonly<Record<string, string>> = {}): MethodDecorator =>
  applyDecorators(
    Produces(CSV, NDJSON),
    ApiProduces(CSV, NDJSON),
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
