import { randomUUID } from 'node:crypto';
import { constants, createWriteStream, type Stats, statSync } from 'node:fs';
import { access, chmod, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fileFormat, type OnProgress } from '../../index.js';
import { type Context } from './command.js';
import { UsageError } from './exit-codes.js';
import { complain, ProgressBar } from './output.js';

/**
 * Writes an export to stdout, or to a file that appears once it is complete. The file is compressed if its name ends in .gz. What is not a
 * regular file, such as a pipe or a device, is written to directly.
 */
export async function save(
  output = '-',
  context: Context,
  start: (onProgress?: OnProgress) => PromiseLike<ReadableStream<Uint8Array>>,
): Promise<void> {
  const descriptor = descriptorOf(output);
  if (descriptor !== undefined) {
    context.leaves = () => 'the output is incomplete';
    await pipeline(Readable.fromWeb(await start()), streamTo(descriptor), { end: descriptor > 2 });
    return;
  }
  const known = statSync(output, { throwIfNoEntry: false });
  if (known?.isDirectory()) throw new UsageError(`${output} is a folder`);
  if (known) await access(output, constants.W_OK);
  const isFile = known?.isFile() ?? true;
  context.leaves = () => (isFile ? `${output} was not written` : 'the output is incomplete');
  const bar = new ProgressBar(`exporting to ${output}`);
  const bytes = Readable.fromWeb(await start(bar.show));
  const write = (file: Writable): Promise<void> => pipeline([bytes, ...(fileFormat(output).gzip ? [createGzip()] : []), file]);
  try {
    await (isFile ? replace(output, known, write) : write(createWriteStream(output)));
  } finally {
    bar.clear();
  }
  if (isFile && process.stderr.isTTY) complain(`${output}, ${(await stat(output)).size} bytes`);
}

/** The file descriptor that a name stands for. Opening it again would not work for a socket, and would overwrite a file from its beginning. */
function descriptorOf(output: string): number | undefined {
  if (output === '-' || output === '/dev/stdout') return 1;
  if (output === '/dev/stderr') return 2;
  const [, descriptor] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(output) ?? [];
  return descriptor === undefined ? undefined : Number(descriptor);
}

function streamTo(descriptor: number): Writable {
  if (descriptor === 1) return process.stdout;
  return descriptor === 2 ? process.stderr : createWriteStream('', { fd: descriptor });
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
