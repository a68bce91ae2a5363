import { Problem, unavailable } from '@fibre/problems';
import { RefusedFile, UnreadableFile } from '../import-files/sent-row.js';
import { SpoolFull } from '../import-files/spool.js';
import { type ImportReport, MAX_FAULTS } from './node-import.js';
import { toImportResponse } from './node-import.response.js';
import { COLUMNS_HINT } from './row-rules.js';

/** Most faults that the sentence for humans repeats. */
const MAX_IN_DETAIL = 3;

const refusal = (detail: string, hint: string, extensions: object): Problem =>
  new Problem({ status: 422, code: 'import-refused', title: 'The import is refused', detail, hint, extensions: { ...extensions } });

const sentence = (faults: readonly string[]): string =>
  `${faults.slice(0, MAX_IN_DETAIL).join('; ')}${faults.length > MAX_IN_DETAIL ? '; and more' : ''}`;
const faultText = ({ column, detail }: { column?: string; detail: string }): string =>
  column === undefined ? detail : `${column} ${detail}`;

/** Rows of the file are refused, and so is all of it (`mode=strict`). */
export function importRefused(report: ImportReport): Problem {
  const { rows, refused, stopped, faults, place } = report;
  const read = stopped ? `of the ${rows} rows that were read` : `of ${rows} rows`;
  return refusal(
    `${refused} ${read} are refused, nothing was changed. ${sentence(faults.map((fault) => `${place} ${fault.place}: ${faultText(fault)}`))}`,
    'Correct these rows and send the file again, or send it with mode=lax to keep the other rows.',
    toImportResponse(report),
  );
}

function fileRefused({ faults, line }: RefusedFile): Problem {
  const errors = faults.slice(0, MAX_FAULTS).map(({ column, detail }) => ({ line, column, detail }));
  return refusal(`The file cannot be imported: ${sentence(faults.map(faultText))}.`, COLUMNS_HINT, { errors });
}

const unreadable = ({ detail, where, hint }: UnreadableFile): Problem =>
  new Problem({
    status: 400,
    code: 'malformed-request',
    title: 'The request cannot be parsed',
    detail: `The file ${detail}${Object.entries(where)
      .map(([place, at]) => `, ${place} ${at}`)
      .join('')}.`,
    hint,
    extensions: { errors: [{ ...where, detail }] },
  });

/** The key was used for another file, or with other parameters. */
export const idempotencyKeyTaken = (): Problem =>
  new Problem({
    status: 422,
    code: 'idempotency-key-taken',
    title: 'The idempotency key is taken',
    detail: 'Within the last 24 hours another file was imported with this Idempotency-Key, or this one with other parameters.',
    hint: 'Choose a new key for each import, and use it again only to repeat that import.',
  });

/** Makes a problem of what is wrong with a file, or with its place on the disk. */
export function fileProblem(error: unknown): unknown {
  if (error instanceof RefusedFile) return fileRefused(error);
  if (error instanceof UnreadableFile) return unreadable(error);
  return error instanceof SpoolFull ? unavailable('There is no room for another import at the moment; nothing was changed.', error) : error;
}
