import { formatNumber } from '../../../texts.js';
import { texts } from './files-texts.js';

/** How many of several lines are named. */
const MOST_NAMED = 6;

/** Names lines of a file: "line 7", "lines 2, 4, 6 and 1,383 more". */
export function linesInWords(lines: readonly number[]): string {
  const t = texts();
  const named = lines
    .slice(0, MOST_NAMED)
    .map((line) => formatNumber(line))
    .join(', ');
  if (lines.length === 1) return t.oneLine(named);
  return lines.length > MOST_NAMED ? t.moreLines(named, formatNumber(lines.length - MOST_NAMED)) : t.someLines(named);
}
