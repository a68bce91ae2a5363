import { inOneLine, isObject, parseJson } from './json.js';
import { MAX_ROW_LENGTH, type SentRow, unreadableFile } from './sent-row.js';

/**
 * Rows from newline-delimited JSON: one object per line. Empty lines are skipped.
 *
 * @throws Problem 400
 */
export async function* ndjsonRows(pieces: AsyncIterable<string>): AsyncGenerator<SentRow> {
  let line = 0;
  let unfinished = '';
  let isEmpty = true;
  for await (const piece of withLineEnd(pieces)) {
    const lines = (unfinished + piece).split('\n');
    unfinished = lines.pop()!;
    for (const text of lines) {
      line++;
      requireLength(text, line);
      if (text.trim() === '') continue;
      isEmpty = false;
      yield rowOf(line, text);
    }
    requireLength(unfinished, line + 1);
  }
  if (isEmpty) throw unreadableFile('is empty');
}

function rowOf(place: number, text: string): SentRow {
  const { value, fault } = parseJson(text);
  const sent = fault === undefined ? inOneLine(text) : JSON.stringify(text);
  if (isObject(value)) return { place, fields: value, sent };
  return { place, fields: {}, sent, fault: { detail: fault ?? 'must be a JSON object' } };
}

/** The last line may end without a line break. */
async function* withLineEnd(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield* pieces;
  yield '\n';
}

function requireLength(text: string, line: number): void {
  if (text.length > MAX_ROW_LENGTH) throw unreadableFile(`has a row of more than ${MAX_ROW_LENGTH} characters`, { line });
}
