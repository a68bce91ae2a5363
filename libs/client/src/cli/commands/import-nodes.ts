import { randomUUID } from 'node:crypto';
import { ApiError, type ImportResult } from '../../index.js';
import { backUp } from '../shared/back-up.js';
import { type Context, type Flags, parameters } from '../shared/command.js';
import { Refused, UsageError } from '../shared/exit-codes.js';
import { open } from '../shared/open.js';
import { print, printJson, ProgressBar, table } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';

export async function importNodes(file: string, flags: Flags, context: Context): Promise<void> {
  const { idempotencyKey = randomUUID(), relationId, target, backup } = flags;
  if (backup !== undefined && relationId === undefined) throw new UsageError('--backup needs --relation-id');
  let isSent = false;
  const { source, ...opened } = await open(context, file, flags, () => (isSent = true));
  const client = connect(context, flags, 'coverageUrl');
  if (backup !== undefined && !flags.dryRun) await backUp(backup, client, { relation_id: relationId!, target }, context);
  const bar = new ProgressBar(context.stderr, `importing ${file === '-' ? 'stdin' : file}`);
  context.leaves = () =>
    isSent
      ? `the import may have taken effect; run the same command with --idempotency-key ${idempotencyKey}${backup === undefined ? '' : ' and without --backup'} to make sure`
      : 'nothing was imported';
  const result = await client.coverage.nodes
    .import(source, parameters(flags, ['target', 'mode', 'dry_run', 'relation_id', 'token', 'absent', 'max_deleted']), {
      ...opened,
      idempotencyKey,
      signal: context.signal,
      onProgress: bar.show,
    })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'import-refused' || error.problem.rows === undefined) throw error;
      const { rows, created, updated, unchanged, refused, deleted, stopped, warnings, refused_lines, errors } =
        error.problem as unknown as ImportResult;
      const others = { ...(stopped && { stopped }), ...(warnings && { warnings }) };
      return { rows, created, updated, unchanged, refused, deleted, ...others, refused_lines, errors };
    })
    .finally(() => bar.clear());
  await report(context, result, flags);
}

const COUNTS = ['rows', 'created', 'updated', 'unchanged', 'refused', 'deleted'] as const;
const FAULT = ['line', 'feature', 'column', 'detail'] as const;

async function report(context: Context, result: ImportResult, { json, dryRun, mode, absent }: Flags): Promise<void> {
  const { rows, refused, deleted, deleted_nodes = [], stopped, warnings = [], errors } = result;
  const keepsOthers = mode === 'lax' && !dryRun;
  if (json) await printJson(context, result);
  else {
    if (errors.length > 0) await print(context, `${table(errors, FAULT)}\n`);
    if (warnings.length > 0) await print(context, `Warnings:\n${table(warnings, FAULT)}\n`);
    if (dryRun && deleted > 0) {
      const others = deleted_nodes.length < deleted ? `, of which these are the first ${deleted_nodes.length}` : '';
      await print(
        context,
        `The import would delete ${deleted} nodes${others}:\n${table(deleted_nodes, ['customer_reference', 'node_id'])}\n`,
      );
    }
    await print(context, table([result], absent === 'delete' ? COUNTS : COUNTS.slice(0, -1)));
    if (dryRun) await print(context, 'Dry run: nothing was changed.');
    else if (refused > 0 && !keepsOthers) await print(context, 'Nothing was imported: this is what the other rows would have done.');
  }
  const listed = new Set(errors.map(({ line, feature }) => line ?? feature)).size;
  const others = listed < refused ? ` (the first ${listed} are listed)` : '';
  if (refused > 0)
    throw new Refused(
      `${refused} of ${stopped ? `the first ${rows}` : rows} rows refused${others}; ${keepsOthers ? 'the others were imported' : 'nothing was imported'}`,
    );
}
