import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Deadline, type Limit, Limits, type Share } from '@fibre/database';
import { unavailable } from '@fibre/problems';
import { Inject, Injectable } from '@nestjs/common';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';

/** Number of characters that are written to disk at once. */
const CHUNK_LENGTH = 65_536;

/** Buffers the data of imports and place searches in temporary files that share a size limit. */
@Injectable()
export class Spool {
  private readonly bytes: Limit;

  constructor(
    @Inject(COVERAGE_ENV) private readonly env: Pick<CoverageEnv, 'SPOOL_DIR' | 'SPOOL_MAX_BYTES'>,
    limits: Limits,
  ) {
    this.bytes = limits.add('spool bytes', { amount: env.SPOOL_MAX_BYTES, perClient: env.SPOOL_MAX_BYTES });
  }

  /**
   * Passes a file to `work` and closes it afterwards. Its name is removed first, so nothing is left even if the process is killed.
   *
   * @throws Problem 503 the disk is full, or the limit for all files is reached
   */
  async withFile<T>(work: (file: SpoolFile) => Promise<T>): Promise<T> {
    Deadline.current?.enter(this.bytes.name);
    const path = join(this.env.SPOOL_DIR, `import-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600).catch(spoolFull);
    const size = this.bytes.ask('', 0);
    try {
      await unlink(path);
      return await work(new SpoolFile(handle, size));
    } finally {
      await handle.close().finally(() => size.close());
    }
  }
}

/** A file that is written once and then read. */
export class SpoolFile {
  private pending = '';

  constructor(
    private readonly handle: FileHandle,
    private readonly size: Share,
  ) {}

  /** @throws Problem 503 the disk is full, or the limit for all files is reached */
  async write(text: string): Promise<void> {
    this.pending += text;
    if (this.pending.length >= CHUNK_LENGTH) await this.flush();
  }

  /** @throws Problem 503 the disk is full, or the limit for all files is reached */
  async read(): Promise<Readable> {
    await this.flush();
    return this.handle.createReadStream({ start: 0, autoClose: false });
  }

  /**
   * The bytes of a source, which never has to wait for the reader: unread bytes are kept on disk.
   *
   * @param signal ends reading, even while no bytes come; its reason is thrown
   * @throws Problem 503, and any error from the source
   */
  async *through(source: AsyncGenerator<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
    let [written, read, isOver, isLeft] = [0, 0, false, false];
    const changes = new EventEmitter();
    const filling = (async () => {
      for await (const chunk of source) {
        if (isLeft) return;
        await this.append(chunk);
        written += chunk.length;
        changes.emit('written');
      }
    })();
    const over = (): void => {
      isOver = true;
      changes.emit('written');
    };
    filling.then(over, over);
    try {
      for (;;) {
        signal.throwIfAborted();
        if (read < written) {
          const length = Math.min(written - read, CHUNK_LENGTH);
          const { buffer, bytesRead } = await this.handle.read(Buffer.allocUnsafe(length), 0, length, read);
          if (bytesRead === 0) spoolFull(new Error('the file is shorter than what was written'));
          read += bytesRead;
          yield buffer.subarray(0, bytesRead);
        } else if (isOver) return await filling;
        else await once(changes, 'written', { signal }).catch(() => undefined);
      }
    } finally {
      isLeft = true;
      // Not awaited, because the source may still be waiting for bytes.
      void source.return(undefined).catch(() => undefined);
    }
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.from(this.pending);
    this.pending = '';
    await this.append(bytes);
  }

  private async append(bytes: Buffer): Promise<void> {
    if (!this.size.grow(bytes.length)) spoolFull(new Error('the files of all requests are as large as they may be'));
    // On a full disk, `write` would write a part and report no error.
    await this.handle.appendFile(bytes).catch(spoolFull);
  }
}

function spoolFull(cause: Error): never {
  throw unavailable('There is no disk space for another file right now; nothing was changed.', cause);
}
