import { randomUUID } from 'node:crypto';
import { ApiError, fileFormat, type FileFormat, type ImportResult } from '../../index.js';
import { type CommonFlags, type Context, parameters } from '../shared/command.js';
import { Refused, UsageError } from '../shared/exit-codes.js';
import { open } from '../shared/open.js';
import { print, printJson, ProgressBar, table } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';

interface Flags extends CommonFlags {
  format?: FileFormat;
  gzip?: boolean;
  idempotencyKey?: string;
}

export async function importNodes(file: string, flags: Flags, context: Context): Promise<void> {
  const guess = fileFormat(file);
  const { format = guess.format, gzip = guess.gzip, idempotencyKey = randomUUID() } = flags;
  if (!format) throw new UsageError(`The format of ${file === '-' ? 'stdin' : file} is unknown. Set --format csv, tsv, ndjson or geojson.`);
  let isSent = false;
  const { source, size } = await open(file, () => (isSent = true));
  const client = connect(flags, 'coverageUrl');
  const bar = new ProgressBar(`importing ${file === '-' ? 'stdin' : file}`);
  context.leaves = () =>
    isSent
      ? `the import may have taken effect; run the same command with --idempotency-key ${idempotencyKey} to make sure`
      : 'nothing was imported';
  const result = await client.coverage.nodes
    .import(source, parameters(flags, ['target', 'mode', 'dry_run', 'relation_id', 'token']), {
      format,
      gzip,
      size,
      idempotencyKey,
      signal: context.signal,
      onProgress: bar.show,
    })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'import-refused' || error.problem.rows === undefined) throw error;
      const { rows, refused, errors } = error.problem as unknown as ImportResult;
      return { rows, created: 0, updated: 0, unchanged: 0, refused, errors };
    })
    .finally(() => bar.clear());
  await report(result, flags);
}

async function report(result: ImportResult, { json, dryRun, mode }: Flags & { dryRun?: boolean; mode?: string }): Promise<void> {
  const { rows, created, updated, unchanged, refused, errors } = result;
  if (json) await printJson(result);
  else {
    if (errors.length > 0) await print(`${table(errors, ['line', 'feature', 'column', 'detail'])}\n`);
    await print(table([{ rows, created, updated, unchanged, refused }], ['rows', 'created', 'updated', 'unchanged', 'refused']));
    if (dryRun) await print('Dry run: nothing was changed.');
  }
  const listed = new Set(errors.map(({ line, feature }) => line ?? feature)).size;
  const others = listed < refused ? ` (the first ${listed} are listed)` : '';
  if (refused > 0)
    throw new Refused(
      `${refused} of ${rows} rows refused${others}; ${mode === 'lax' ? 'the others were imported' : 'nothing was imported'}`,
    );
}
