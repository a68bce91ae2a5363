import { createHash, type Hash } from 'node:crypto';
import { type BulkConnection, Database, type Limit, Limits } from '@fibre/database';
import { idempotencyKeyTaken } from '@fibre/problems';
import type { StreamedBody } from '@fibre/body';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import { type FileFormat, formatOf } from '../files/file-formats.js';
import { fileRows } from '../files/file-rows.js';
import { claimKey, findResponse, storeCounts, storeResponse, type StoredResponse } from '../finished-imports/finished-import.sql.js';
import { fileProblem, MAX_FAULTS } from '../files/sent-row.js';
import { Spool, type SpoolFile } from '../files/spool.js';
import { beginPublication, endPublication } from '../node-changes/publication.sql.js';
import { fileRejected, importRefused, mostDeletedUnlessNamed, tooManyDeletions } from './node-import.problems.js';
import type { ImportQuery, ImportRequest } from './node-import.requests.js';
import { importResponse, type ImportResponse } from './node-import.response.js';
import { type RowPlace, rowText } from './import-rows.sql.js';
import { MAX_REFUSED, type PlacedFault, RefusedRows } from './refused-rows.js';
import { LARGE_NUMBERS, NUMBERS, RowRules } from './row-rules.js';
import { type RowUnit, storeRows } from './store-rows.js';

/** Milliseconds that an import may take once its file has arrived, including the wait for earlier imports of the same relations. */
export const MAX_MS = 1_800_000;
/** Milliseconds that an import waits for the tenant's previous import. */
const MAX_WAIT_MS = 10_000;

/** A file that is being received, and where its rows are stored. */
interface Upload {
  readonly format: FileFormat;
  readonly bytes: AsyncGenerator<Buffer>;
  readonly file: SpoolFile;
}

/** The rows that have been read from a file so far. */
interface ReadRows {
  readonly file: SpoolFile;
  readonly unit: RowUnit;
  rows: number;
  /** Where the faulty rows are. */
  readonly faulty: RowPlace[];
  /** What is wrong with the first of them. */
  readonly faults: PlacedFault[];
}

/** Thrown to roll back a dry run. */
class Undone extends Error {
  constructor(readonly report: ImportResponse) {
    super('nothing is stored');
  }
}
/** Another import with the same key already has a response. */
class KeyTaken extends Error {}

/** Imports files of nodes, each for its tenant. */
@Injectable()
export class NodeImportService {
  private readonly limit: Limit;

  constructor(
    private readonly database: Database,
    private readonly spool: Spool,
    limits: Limits,
    @Inject(COVERAGE_ENV) private readonly env: CoverageEnv,
  ) {
    this.limit = limits.add('imports', { perClient: 1, maxWaitMs: MAX_WAIT_MS });
  }

  /**
   * Imports all rows of a file or none; with `mode=lax`, all valid ones.
   *
   * @throws Problem 400 unreadable, 413, 422 `import-refused`, `too-many-deletions`, `idempotency-key-taken`, 503 another import is running or the disk is full
   */
  async import(request: ImportRequest, body: StreamedBody): Promise<ImportResponse> {
    try {
      return await this.limit.run(request.tenant, () =>
        this.spool.withFile((file) =>
          this.importFrom({ format: formatOf(body.mediaType), bytes: body.read(this.env.IMPORT_MAX_BYTES), file }, request),
        ),
      );
    } catch (error) {
      throw fileProblem(error, fileRejected);
    }
  }

  private async importFrom({ bytes, ...upload }: Upload, request: ImportRequest): Promise<ImportResponse> {
    const { tenant, query, signal } = request;
    // A dry run stores nothing, not even its response.
    const key = query.dry_run === 'true' ? undefined : request.idempotencyKey;
    const hash = hashOf(query, upload.format);
    const hashing = hashed(bytes, hash);
    try {
      const read = await this.read({ ...upload, bytes: key === undefined ? bytes : hashing }, request);
      if (key === undefined) return await this.store(request, read);
      // The digest covers the whole file, even if reading the rows stopped early.
      while (!(await hashing.next()).done) signal.throwIfAborted();
      const digest = hash.digest('hex');
      return await this.store(request, read, { key, digest }).catch(async (error: unknown) => {
        if (!(error instanceof KeyTaken)) throw error;
        const [earlier] = await this.database.run<StoredResponse<ImportResponse>>(findResponse(tenant, key));
        if (earlier?.digest !== digest) throw idempotencyKeyTaken('import', 'file or different parameters');
        return earlier.report;
      });
    } finally {
      // Not awaited, because the reader may still be waiting for bytes.
      void bytes.return(undefined).catch(() => undefined);
    }
  }

  /** Validates the rows of a file as they arrive, and writes the valid ones to the spool. */
  private async read({ format, bytes, file }: Upload, { query, signal }: ImportRequest): Promise<ReadRows> {
    const rules = new RowRules(query, this.env);
    // Has no `return`, so the rest of the bytes can still be hashed when reading stops.
    const unclosed = { [Symbol.asyncIterator]: () => ({ next: () => bytes.next() }) };
    const table = { numbers: NUMBERS, largeNumbers: LARGE_NUMBERS, checkHeader: (names: readonly string[]) => rules.checkHeader(names) };
    const unit: RowUnit = format === 'geojson' ? 'feature' : 'line';
    const read: ReadRows = { file, unit, rows: 0, faulty: [], faults: [] };
    for await (const row of fileRows(format, unclosed, signal, table)) {
      read.rows++;
      const checked = rules.check(row);
      if ('center' in checked) {
        await file.write(rowText(row, uuidv7(), checked));
        continue;
      }
      for (const fault of checked) if (read.faults.length < MAX_FAULTS) read.faults.push({ place: row.place, ...fault });
      if (read.faulty.push({ place: row.place, end: row.end }) === MAX_REFUSED) break;
    }
    return read;
  }

  /** Stores the rows and their counts, and the whole response if there is a key, in one transaction. */
  private async store(
    { tenant, actor, query, signal }: ImportRequest,
    read: ReadRows,
    claim?: { key: string; digest: string },
  ): Promise<ImportResponse> {
    const work = async (connection: BulkConnection): Promise<ImportResponse> => {
      signal.throwIfAborted();
      await connection.run(beginPublication(tenant));
      if (claim && (await connection.run(claimKey(tenant, actor, claim.key, claim.digest))).length === 0) throw new KeyTaken();
      const report = await this.storeAndReport(connection, { tenant, actor }, query, read);
      const mostDeleted = query.max_deleted ?? mostDeletedUnlessNamed(report);
      if (report.deleted > mostDeleted) throw tooManyDeletions(report, mostDeleted);
      if (query.mode === 'strict' && report.refused > 0) throw importRefused(report);
      if (query.dry_run === 'true') throw new Undone(report);
      const { rows, created, updated, unchanged, refused, deleted } = report;
      await connection.run(
        claim
          ? storeResponse(tenant, claim.key, report, query.relation_id)
          : storeCounts(tenant, actor, { rows, created, updated, unchanged, refused, deleted }, query.relation_id),
      );
      signal.throwIfAborted();
      return report;
    };
    try {
      const report = await this.database.bulk(work, MAX_MS);
      await endPublication(this.database, tenant);
      return report;
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      return error.report;
    }
  }

  private async storeAndReport(
    connection: BulkConnection,
    { tenant, actor }: Pick<ImportRequest, 'tenant' | 'actor'>,
    { target, absent, relation_id, mode, dry_run }: ImportQuery,
    { unit, rows: count, ...read }: ReadRows,
  ): Promise<ImportResponse> {
    const file = { valid: await read.file.read(), count, refused: RefusedRows.of(read.faulty, read.faults) };
    const stored = await storeRows(connection, file, {
      tenant,
      actor,
      collection: target,
      unit,
      whole: absent === 'delete' ? relation_id : undefined,
      isRegistered: this.env.RELATIONS === 'registered',
      isStrict: mode === 'strict',
      isDry: dry_run === 'true',
    });
    return importResponse(stored, unit);
  }
}

/** The digest of an import starts with its parameters. */
const hashOf = ({ target, mode, relation_id, token, absent, max_deleted }: ImportQuery, format: FileFormat): Hash =>
  createHash('sha256').update(`${JSON.stringify([format, target, mode, relation_id, token, absent, max_deleted])}\n`);

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}
