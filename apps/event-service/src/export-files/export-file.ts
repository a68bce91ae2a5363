import { EnumField } from '@fibre/dto';
import { COPY_FORMATS, ExportsFile } from '@fibre/server';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const FormatField = (): PropertyDecorator =>
  EnumField(EXPORT_FORMATS, { description: 'Format of the file.', presence: 'if-present', default: 'csv' });

/** @param headers descriptions of additional headers */
export const ExportsCsvOrNdjson = (headers?: Readonly<Record<string, string>>): MethodDecorator =>
  ExportsFile(
    EXPORT_FORMATS.map((format) => COPY_FORMATS[format]),
    headers,
  );
