import { Problem } from '@fibre/problems';
import { BadHeader, type ImportReport, MAX_FAULTS, type RowPlace, UnreadableFile } from './node-import.js';
import { toRowError } from './node-import.response.js';

const DRY_RUN = 'Mend these rows and send the file again, or send it with mode=lax to keep the other rows.';
const MAX_TOLD = 3;
/** A table from elsewhere has tens of columns; a header may have thousands. */
const MAX_TOLD_COLUMNS = 30;

/** Rows of the file are refused, and so all of it (`mode=strict`). */
export function importRefused({ rows, refused, faults, place }: ImportReport): Problem {
  const told = faults
    .slice(0, MAX_TOLD)
    .map(({ place: at, column, detail }) => `${place} ${at}: ${column === undefined ? '' : `${column} `}${detail}`);
  return new Problem({
    status: 422,
    code: 'import-refused',
    title: 'The import is refused',
    detail: `${refused} of ${rows} rows are refused, nothing was changed. ${told.join('; ')}${faults.length > MAX_TOLD ? '; and more' : ''}`,
    hint: DRY_RUN,
    extensions: { rows, refused, errors: faults.map(toRowError(place)) },
  });
}

/** The header names columns that there are not, or not those that are needed. */
const headerRefused = ({ faults }: BadHeader): Problem =>
  new Problem({
    status: 422,
    code: 'import-refused',
    title: 'The import is refused',
    detail: `The header cannot be taken: ${faults
      .slice(0, MAX_TOLD_COLUMNS)
      .map(({ column, detail }) => `${column} ${detail}`)
      .join('; ')}${faults.length > MAX_TOLD_COLUMNS ? '; and more' : ''}.`,
    extensions: { errors: faults.slice(0, MAX_FAULTS).map(({ column, detail }) => ({ line: 1, column, detail })) },
  });

const unreadable = ({ detail, place: at, hint }: UnreadableFile, place: RowPlace): Problem =>
  new Problem({
    status: 400,
    code: 'malformed-request',
    title: 'The request cannot be parsed',
    detail: `The file ${detail}${at === undefined ? '' : `, ${place} ${at}`}.`,
    hint,
    extensions: { errors: [{ ...(at !== undefined && { [place]: at }), detail }] },
  });

/** The key was used for another file, or with other parameters. */
export const idempotencyKeyTaken = (): Problem =>
  new Problem({
    status: 422,
    code: 'idempotency-key-taken',
    title: 'The idempotency key is taken',
    detail: 'Within the last 24 hours another file was imported with this Idempotency-Key, or this one with other parameters.',
    hint: 'Choose a new key for each import, and keep it for the repetitions of that one alone.',
  });

/** Makes a problem of what is wrong with a file. */
export function fileProblem(error: unknown, place: RowPlace): unknown {
  if (error instanceof BadHeader) return headerRefused(error);
  return error instanceof UnreadableFile ? unreadable(error, place) : error;
}
