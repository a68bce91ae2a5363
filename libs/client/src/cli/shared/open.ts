import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Source } from '../../index.js';
import { UsageError } from './exit-codes.js';

/** Opens a file to send; `-` is stdin. */
export async function open(file: string, onEnd: () => void = () => undefined): Promise<{ source: Source; size?: number }> {
  const read = (stream: Readable) => Readable.toWeb(stream.once('end', onEnd)) as ReadableStream<Uint8Array>;
  if (file === '-') return { source: read(process.stdin) };
  const stats = await stat(file);
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder`);
  const source = () => read(createReadStream(file));
  // A file that is not regular, such as a named pipe, can be read only once.
  return stats.isFile() ? { source, size: stats.size } : { source: source() };
}
