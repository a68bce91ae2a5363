import { Problem, type ProblemOptions } from '@fibre/problems';
import { faultText, sentence } from '../files/sent-row.js';
import type { ImportResponse } from './node-import.response.js';
import { COLUMNS_HINT } from './row-rules.js';

const rejected = (options: ProblemOptions): Problem => new Problem(422, 'import-refused', 'The import was rejected', options);

/** The file cannot be imported. */
export const fileRejected = (options: ProblemOptions): Problem => rejected({ ...options, hint: COLUMNS_HINT });

/** The file has faulty rows, so nothing is imported (`mode=strict`). */
export function importRefused(report: ImportResponse): Problem {
  const { rows, refused, stopped, errors } = report;
  const read = stopped ? `of the first ${rows} rows` : `of ${rows} rows`;
  const told = errors.map(
    ({ line, feature, ...fault }) => `${feature === undefined ? `line ${line}` : `feature ${feature}`}: ${faultText(fault)}`,
  );
  return rejected({
    detail: `${refused} ${read} ${refused === 1 ? 'is' : 'are'} invalid; nothing was changed. ${sentence(told)}`,
    hint: 'Correct these rows and send the file again, or send it with mode=lax to import the other rows.',
    extensions: { ...report },
  });
}

/** How many nodes a relation had before an import that deletes those without a row. */
const nodesBefore = ({ updated, unchanged, deleted }: ImportResponse): number => updated + unchanged + deleted;

/** An import that deletes nodes may delete this many, or a tenth of the nodes, unless it says how many: a file that was cut off must not empty a network. */
const DELETES_AT_LEAST = 10;

/** How many nodes an import may delete that does not say how many. A file that names none of them is no truth about them, however few they are. */
export function mostDeletedUnlessNamed(report: ImportResponse): number {
  const named = report.updated + report.unchanged;
  return named === 0 ? 0 : Math.max(DELETES_AT_LEAST, Math.floor(nodesBefore(report) / 10));
}

/** The file names too few of the relation's nodes to be the whole truth: it may have been cut off, or belong to another relation. */
export const tooManyDeletions = (report: ImportResponse, most: number): Problem =>
  new Problem(422, 'too-many-deletions', 'The import would delete too many nodes', {
    detail:
      report.deleted === nodesBefore(report)
        ? `No row names any of the ${report.deleted} nodes of the relation, so the import would delete all of them, but may delete ${most}; nothing was changed.`
        : `The import would delete ${report.deleted} of the ${nodesBefore(report)} nodes of the relation, but may delete ${most}; nothing was changed.`,
    hint: `Check that the file is complete and belongs to this relation. To delete the nodes, send it again with max_deleted=${report.deleted}.`,
    extensions: { ...report },
  });
