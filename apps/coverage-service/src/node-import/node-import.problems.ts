import { Problem } from '@fibre/problems';
import { faultText, type RefusedFile } from '../import-files/sent-row.js';
import { type ImportReport, MAX_FAULTS } from './node-import.js';
import { toImportResponse } from './node-import.response.js';
import { COLUMNS_HINT } from './row-rules.js';

/** Most faults that `detail` repeats. */
const MAX_IN_DETAIL = 3;

const refusal = (detail: string, hint: string, extensions: object): Problem =>
  new Problem({ status: 422, code: 'import-refused', title: 'The import was rejected', detail, hint, extensions: { ...extensions } });

const sentence = (faults: readonly string[]): string =>
  `${faults.slice(0, MAX_IN_DETAIL).join('; ')}${faults.length > MAX_IN_DETAIL ? '; and more' : ''}`;

/** The file has faulty rows, so nothing is imported (`mode=strict`). */
export function importRefused(report: ImportReport): Problem {
  const { rows, refused, stopped, faults, place } = report;
  const read = stopped ? `of the first ${rows} rows` : `of ${rows} rows`;
  return refusal(
    `${refused} ${read} are invalid; nothing was changed. ${sentence(faults.map((fault) => `${place} ${fault.place}: ${faultText(fault)}`))}`,
    'Correct these rows and send the file again, or send it with mode=lax to import the other rows.',
    toImportResponse(report),
  );
}

export function fileRefused({ faults, line }: RefusedFile): Problem {
  const errors = faults.slice(0, MAX_FAULTS).map(({ column, detail }) => ({ line, column, detail }));
  return refusal(`The file cannot be imported: ${sentence(faults.map(faultText))}.`, COLUMNS_HINT, { errors });
}

export const idempotencyKeyTaken = (): Problem =>
  new Problem({
    status: 422,
    code: 'idempotency-key-taken',
    title: 'The idempotency key is taken',
    detail: 'This Idempotency-Key was used within the last 24 hours for another file or other parameters.',
    hint: 'Use a new key for each import, and the same key only to retry that import.',
  });
