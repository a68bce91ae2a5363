import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';

/** Length of the text that is written to the disk at once. */
const CHUNK_LENGTH = 65_536;

/** The disk does not take the rows of a file, or they are more than all files together may have. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull';
}

/** Where the rows of imports stay between the network and the database: temporary files of bounded size. */
@Injectable()
export class Spool {
  private bytes = 0;

  constructor(
    private readonly folder: string,
    private readonly maxBytes: number,
    registry: Registry,
  ) {
    const bytes = (): number => this.bytes;
    new Gauge({
      name: 'import_spool_bytes',
      help: 'Bytes on the disk of files that are being imported',
      registers: [registry],
      collect() {
        this.set(bytes());
      },
    });
  }

  /**
   * Hands a file to `work` and removes it afterwards. It has no name from the beginning, so nothing is left of it either when the process is killed.
   *
   * @throws SpoolFull
   */
  async withFile<T>(work: (file: SpoolFile) => Promise<T>): Promise<T> {
    const path = join(this.folder, `import-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600).catch(asSpoolFull);
    let size = 0;
    const reserve = (bytes: number): void => {
      if (this.bytes + bytes > this.maxBytes) throw new SpoolFull(`the files of all imports have ${this.bytes} bytes`);
      this.bytes += bytes;
      size += bytes;
    };
    try {
      await unlink(path);
      return await work(new SpoolFile(handle, reserve));
    } finally {
      await handle.close();
      this.bytes -= size;
    }
  }
}

/** Text that is written once and then read. */
export class SpoolFile {
  private pending = '';

  constructor(
    private readonly handle: FileHandle,
    private readonly reserve: (bytes: number) => void,
  ) {}

  /** @throws SpoolFull */
  async write(text: string): Promise<void> {
    this.pending += text;
    if (this.pending.length >= CHUNK_LENGTH) await this.flush();
  }

  /** @throws SpoolFull */
  async read(): Promise<Readable> {
    await this.flush();
    return this.handle.createReadStream({ start: 0, autoClose: false });
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.from(this.pending);
    this.pending = '';
    this.reserve(bytes.length);
    await this.handle.appendFile(bytes).catch(asSpoolFull);
  }
}

function asSpoolFull(cause: unknown): never {
  throw new SpoolFull('the disk does not take the file', { cause });
}
