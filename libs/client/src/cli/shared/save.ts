import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fileFormat, type OnProgress } from '../../index.js';
import { type Context } from './command.js';
import { complain, ProgressBar } from './output.js';

/** Writes an export to stdout, or to a file that appears once it is complete. The file is compressed if its name ends in .gz. */
export async function save(
  output: string | undefined,
  context: Context,
  start: (onProgress?: OnProgress) => PromiseLike<ReadableStream<Uint8Array>>,
): Promise<void> {
  if (output === undefined || output === '-') {
    context.leaves = () => 'the output is incomplete';
    await pipeline(Readable.fromWeb(await start()), process.stdout, { end: false });
    return;
  }
  const part = `${output}.part`;
  context.leaves = () => `${output} was not written`;
  const bar = new ProgressBar(`exporting to ${output}`);
  const stream = await start(bar.show);
  try {
    await pipeline([Readable.fromWeb(stream), ...(fileFormat(output).gzip ? [createGzip()] : []), createWriteStream(part)]);
    await rename(part, output);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    bar.clear();
  }
  if (process.stderr.isTTY) complain(`${output}, ${(await stat(output)).size} bytes`);
}
