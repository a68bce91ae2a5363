import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Limits } from '@fibre/database';
import { Spool, type SpoolFile } from './spool.js';

const LONG = 'x'.repeat(70_000);

let folder: string;
let limits: Limits;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-'));
  limits = new Limits();
});
afterEach(() => rm(folder, { recursive: true }));

const spoolOf = (maxBytes: number, directory = folder): Spool => new Spool({ SPOOL_DIR: directory, SPOOL_MAX_BYTES: maxBytes }, limits);
const bytes = (): number => [...limits][0]!.used;

test('reads what was written, and the file has no name', async () => {
  const spool = spoolOf(200_000);
  const work = async (file: SpoolFile): Promise<string> => {
    for (const part of ['ß', LONG, 'end']) await file.write(part);
    expect(await readdir(folder)).toEqual([]);
    return text(await file.read());
  };
  expect(await spool.withFile(work)).toBe(`ß${LONG}end`);
  expect(bytes()).toBe(0);
});

test('the files of all imports share a limit, and a removed file no longer counts', async () => {
  const spool = spoolOf(100_000);
  const twice = spool.withFile(async (file) => {
    await file.write(LONG);
    expect(bytes()).toBe(70_000);
    await spool.withFile((other) => other.write(LONG));
  });
  await expect(twice).rejects.toThrow('There is no disk space');
  expect(bytes()).toBe(0);
  await spool.withFile((file) => file.write(LONG));
});

test('a disk with write errors counts as full', async () => {
  const spool = spoolOf(100_000, join(folder, 'missing'));
  await expect(spool.withFile((file) => file.write('x'))).rejects.toThrow('There is no disk space');
});

test('a reader is ended by its signal even while no bytes come, and the file is closed', async () => {
  const spool = spoolOf(100_000);
  const reader = new AbortController();
  async function* source(): AsyncGenerator<Buffer> {
    yield Buffer.from('x');
    await new Promise(() => undefined);
  }
  const reading = spool.withFile(async (file) => {
    for await (const piece of file.through(source(), reader.signal)) expect(piece.toString()).toBe('x');
  });
  setTimeout(() => reader.abort(new Error('too late')), 20);
  await expect(reading).rejects.toThrow('too late');
  expect(bytes()).toBe(0);
});
