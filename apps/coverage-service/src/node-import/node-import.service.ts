import { setImmediate as others } from 'node:timers/promises';
import { createHash, type Hash, randomFillSync } from 'node:crypto';
import { type BulkConnection, ContentionError, MAX_TRANSACTION_ATTEMPTS } from '@fibre/database';
import type { StreamedBody } from '@fibre/validation';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { RELATION_MODE, SERVICE_AREA } from '../access-nodes/access-nodes.service.js';
import type { ServiceArea } from '../geography/service-area.js';
import type { RelationMode } from '../relations/relation.js';
import { geoJsonRows, ndjsonRows } from './json-rows.js';
import { type ImportReport, MAX_FAULTS, type PlacedFault, type RowPlace, type SentRow } from './node-import.js';
import { fileProblem, idempotencyKeyTaken, importRefused } from './node-import.problems.js';
import { NodeImportRepository } from './node-import.repository.js';
import type { ImportQuery } from './node-import.requests.js';
import { rowText } from './node-import.sql.js';
import { RowRules } from './row-rules.js';
import { tableRows } from './table-rows.js';

export const IMPORT_MAX_BYTES = Symbol('IMPORT_MAX_BYTES');

type Format = (bytes: AsyncIterable<Buffer>, query: ImportQuery) => AsyncIterable<SentRow[]>;

/** How the rows of a file are read, by its media type. */
const FORMATS = {
  'text/csv': (bytes, query) => tableRows(bytes, undefined, query),
  'text/tab-separated-values': (bytes, query) => tableRows(bytes, '\t', query),
  'application/x-ndjson': (bytes) => ndjsonRows(bytes),
  'application/geo+json': (bytes) => geoJsonRows(bytes),
} as const satisfies Record<string, Format>;
export const IMPORT_TYPES = Object.keys(FORMATS) as (keyof typeof FORMATS)[];

/** Rows after which other requests have their turn. Few, for a search takes several turns of the event loop. */
const TURN = 25;
/** Characters of rows that are copied at once. Longer strings live where only a full collection of garbage finds them, which is late. */
const BATCH_LENGTH = 65_536;
/** Milliseconds after which fewer are, so that a slow client keeps its transaction busy. */
const BATCH_MS = 5_000;
const RANDOM_BYTES = 16;

/** What a request sends. */
interface File {
  readonly mediaType: string;
  readonly bytes: AsyncIterable<Buffer>;
  readonly place: RowPlace;
}

/** Undoes an import that has been done. */
class DryRun extends Error {
  constructor(readonly report: ImportReport) {
    super('nothing is kept');
  }
}
/** Somebody else imported with the same key meanwhile. */
class KeyTaken extends Error {}

/** What the rows of a file came to on their way into the database. */
interface Staged {
  rows: number;
  good: number;
  haveReferences: boolean;
  readonly faults: PlacedFault[];
}

/** Files of nodes on their way in. Sees the records of its tenant alone. */
@Injectable()
export class NodeImportService {
  constructor(
    private readonly repository: NodeImportRepository,
    @Inject(SERVICE_AREA) private readonly serviceArea: ServiceArea | undefined,
    @Inject(RELATION_MODE) private readonly relations: RelationMode,
    @Inject(IMPORT_MAX_BYTES) private readonly maxBytes: number,
  ) {}

  /**
   * Imports a file, all of its rows or none, or with `mode=lax` the good ones.
   *
   * @throws Problem 400 unreadable, 413, 422 `import-refused`, `idempotency-key-taken`
   */
  async import(tenant: string, query: ImportQuery, key: string | undefined, body: StreamedBody): Promise<ImportReport> {
    const place: RowPlace = body.mediaType === 'application/geo+json' ? 'feature' : 'line';
    const file: File = { mediaType: body.mediaType, bytes: body.read(this.maxBytes), place };
    try {
      // Of a dry run nothing is kept, its answer neither.
      const isRepeatable = key !== undefined && query.dry_run === 'false';
      const report = isRepeatable ? await this.importOnce(tenant, query, key, file) : await this.importFile(tenant, query, file);
      if (query.mode === 'strict' && report.refused > 0) throw importRefused(report);
      return report;
    } catch (error) {
      throw fileProblem(error, place);
    }
  }

  /** Imports a file unless that was done with this key: then it gets the answer of that time. */
  private async importOnce(tenant: string, query: ImportQuery, key: string, file: File): Promise<ImportReport> {
    const hash = hashOf(query, file);
    await this.repository.removeOldAnswers();
    let known = await this.repository.findAnswer(tenant, key);
    if (known) for await (const chunk of file.bytes) hash.update(chunk);
    else {
      try {
        return await this.importFile(tenant, query, { ...file, bytes: hashed(file.bytes, hash) }, { key, hash });
      } catch (error) {
        if (!(error instanceof KeyTaken)) throw error;
        known = await this.repository.findAnswer(tenant, key);
      }
    }
    if (known?.digest !== hash.digest('hex')) throw idempotencyKeyTaken();
    return known.report;
  }

  private async importFile(tenant: string, query: ImportQuery, file: File, once?: { key: string; hash: Hash }): Promise<ImportReport> {
    const read: Format = FORMATS[file.mediaType as keyof typeof FORMATS];
    try {
      return await this.repository.inTransaction(async (connection) => {
        const staged = await this.stage(connection, query, read(file.bytes, query));
        if (once && !(await this.repository.claimKey(connection, tenant, once.key, once.hash.copy().digest('hex')))) throw new KeyTaken();
        const report = await this.apply(connection, tenant, query, staged, file.place);
        if (once) await this.repository.storeAnswer(connection, tenant, once.key, report);
        if (query.dry_run === 'true') throw new DryRun(report);
        return report;
      });
    } catch (error) {
      if (error instanceof DryRun) return error.report;
      throw error;
    }
  }

  /** Brings the good rows to the database. One batch is copied while the next one is read. */
  private async stage(connection: BulkConnection, query: ImportQuery, batches: AsyncIterable<SentRow[]>): Promise<Staged> {
    await this.repository.createRows(connection);
    const rules = new RowRules(query, this.serviceArea);
    const ids = nodeIds();
    const staged: Staged = { rows: 0, good: 0, haveReferences: false, faults: [] };
    let [batch, copiedAt, copying] = ['', performance.now(), Promise.resolve()];
    const copy = async (): Promise<void> => {
      await copying;
      copying = this.repository.copyRows(connection, batch);
      copying.catch(() => undefined);
      [batch, copiedAt] = ['', performance.now()];
    };
    try {
      for await (const rows of batches) {
        for (const row of rows) {
          if (++staged.rows % TURN === 0) await others();
          const checked = rules.check(row);
          if ('node' in checked) {
            batch += rowText(checked, ids());
            staged.good++;
            staged.haveReferences ||= checked.node.customer_reference != null;
          } else {
            for (const fault of checked) if (staged.faults.length < MAX_FAULTS) staged.faults.push({ place: row.place, ...fault });
          }
        }
        if (batch.length >= BATCH_LENGTH || (batch !== '' && performance.now() - copiedAt > BATCH_MS)) await copy();
      }
      if (batch !== '') await copy();
      await copying;
      return staged;
    } finally {
      await copying.catch(() => undefined);
    }
  }

  /** Brings the rows into place, unless a fault among them keeps all of them out. */
  private async apply(
    connection: BulkConnection,
    tenant: string,
    { target, mode }: ImportQuery,
    { rows, good, haveReferences, faults }: Staged,
    place: RowPlace,
  ): Promise<ImportReport> {
    const repeated = haveReferences ? await this.repository.removeRepeated(connection, place, MAX_FAULTS) : { count: 0, first: [] };
    const homeless =
      this.relations === 'registered' ? await this.repository.removeUnregistered(connection, tenant, MAX_FAULTS) : { count: 0, first: [] };
    const refused = rows - good + repeated.count + homeless.count;
    const all = [
      ...faults,
      ...repeated.first.map((fault) => ({ ...fault, column: 'customer_reference' })),
      ...homeless.first.map((fault) => ({ ...fault, column: 'relation_id' })),
    ];
    const told = { place, faults: all.sort((a, b) => a.place - b.place).slice(0, MAX_FAULTS) };
    if (mode === 'strict' && refused > 0) return { rows, created: 0, updated: 0, unchanged: 0, refused, ...told };
    await this.repository.lockRelations(connection, tenant);
    for (let attempt = 1; attempt <= MAX_TRANSACTION_ATTEMPTS; attempt++) {
      const applied = await this.repository.applyRows(connection, tenant, target, { haveReferences, metOthers: attempt > 1 });
      if (!applied) continue;
      const { created, updated, matched, different } = applied;
      return { rows, created, updated, unchanged: matched - different, refused, ...told };
    }
    throw new ContentionError(MAX_TRANSACTION_ATTEMPTS, undefined);
  }
}

/** The digest of an import begins with all that the request says beside the file. */
const hashOf = ({ target, mode, relation_id, token }: ImportQuery, { mediaType }: File): Hash =>
  createHash('sha256').update(`${JSON.stringify([mediaType, target, mode, relation_id, token])}\n`);

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Ids in the order in which they are asked for. The random numbers are drawn for many at once: one by one they cost most of an id. */
function nodeIds(): () => string {
  const pool = Buffer.alloc(RANDOM_BYTES * 1_024);
  let [at, seq, msecs] = [pool.length, 0, 0];
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
      msecs = Math.max(msecs, Date.now());
    }
    const random = pool.subarray(at, (at += RANDOM_BYTES));
    return uuidv7({ msecs, seq: seq++, random });
  };
}
