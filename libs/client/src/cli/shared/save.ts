import { randomUUID } from 'node:crypto';
import { constants, createWriteStream, type Stats, statSync } from 'node:fs';
import { access, chmod, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type DownloadOptions, type FileFormat, fileFormat } from '../../index.js';
import { type Context, type Flags } from './command.js';
import { UsageError } from './exit-codes.js';
import { complain, ProgressBar } from './output.js';

/**
 * Writes an export to stdout, or to a file that appears once it is complete. The file is compressed if its name ends in .gz. What is not a
 * regular file, such as a pipe or a device, is written to directly.
 *
 * @param start starts the export, in the format of the flag or of the file's name
 */
export async function save<Format extends FileFormat | 'xlsx' | undefined = FileFormat | undefined>(
  { output = '-', format: wanted }: Pick<Flags, 'output' | 'format'>,
  context: Context,
  start: (options: DownloadOptions, format: Format) => PromiseLike<ReadableStream<Uint8Array>>,
): Promise<void> {
  const { signal, stdout, stderr } = context;
  // Not checked here: the service rejects a format that it cannot export.
  const format = (wanted ?? (/\.xlsx(\.gz)?$/i.test(output) ? 'xlsx' : fileFormat(output).format)) as Format;
  if (['-', '/dev/stdout'].includes(output)) {
    context.leaves = () => 'the output is incomplete';
    return pipeline(Readable.fromWeb(await start({ signal }, format)), stdout, { end: false });
  }
  const known = statSync(output, { throwIfNoEntry: false });
  if (known?.isDirectory()) throw new UsageError(`${output} is a folder`);
  if (known) await access(output, constants.W_OK);
  // A name such as /dev/fd/3 stands for what is already open, even if that is a regular file.
  const isFile = (known?.isFile() ?? true) && !/^\/(dev|proc)\//.test(output);
  context.leaves = () => (isFile ? `${output} was not written` : 'the output is incomplete');
  const bar = new ProgressBar(stderr, `exporting to ${output}`);
  const bytes = Readable.fromWeb(await start({ signal, onProgress: bar.show }, format));
  const write = (file: Writable): Promise<void> => pipeline([bytes, ...(fileFormat(output).gzip ? [createGzip()] : []), file]);
  try {
    await (isFile ? replace(output, known, write) : write(createWriteStream(output, { flags: 'a' })));
  } finally {
    bar.clear();
  }
  if (isFile && stderr.isTTY) complain(context, `${output}, ${(await stat(output)).size} bytes`);
}

/** Writes a file under a name of its own and then renames it. Symbolic links to the file and its mode stay as they are. */
async function replace(output: string, known: Stats | undefined, write: (file: Writable) => Promise<void>): Promise<void> {
  const target = await targetOf(output);
  const part = join(dirname(target), `.fibre-${randomUUID()}`);
  try {
    await write(createWriteStream(part, { flags: 'wx', mode: known?.mode }));
    if (known) await chmod(part, known.mode);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** The name that symbolic links, if any, lead to, even if there is no such file yet. */
async function targetOf(name: string): Promise<string> {
  const link = await readlink(name).catch(() => undefined);
  return link === undefined ? name : targetOf(resolve(await realpath(dirname(name)), link));
}
