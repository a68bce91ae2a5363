import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type FileFormat, fileFormat, type Source } from '../../index.js';
import { type Context } from './command.js';
import { UsageError } from './exit-codes.js';

/** A file to send. */
interface Opened {
  source: Source;
  size?: number;
  format: FileFormat;
  gzip: boolean;
}

/** Opens a file to send; `-` is stdin. Without flags, its name says what it is. */
export async function open({ stdin }: Context, file: string, flags: Partial<Opened>, onEnd: () => void = () => undefined): Promise<Opened> {
  const guess = fileFormat(file);
  const { format = guess.format, gzip = guess.gzip } = flags;
  if (!format) throw new UsageError(`The format of ${file === '-' ? 'stdin' : file} is unknown. Set --format csv, tsv, ndjson or geojson.`);
  const read = (stream: Readable) => Readable.toWeb(stream.once('end', onEnd)) as ReadableStream<Uint8Array>;
  if (file === '-') return { source: read(stdin), format, gzip };
  const stats = await stat(file);
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder`);
  const source = () => read(createReadStream(file));
  // A file that is not regular, such as a named pipe, can be read only once.
  return stats.isFile() ? { source, size: stats.size, format, gzip } : { source: source(), format, gzip };
}
