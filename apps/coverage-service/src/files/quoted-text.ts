import { MAX_ROW_LENGTH, RefusedFile } from './sent-row.js';

const LINE_BREAK = /[\r\n]/;
/** What every file with a row has: a separator of cells or lines, or a brace. A single column name in quotes has none of them. */
const FILE_TEXT = /[\r\n,;\t{]/;
/** The beginning of a JSON string with an escaped line break or quote. */
const JSON_STRING = /^"(?=[^"]*\\[nr"])(?:[^"\\]|\\.)*\\?$/;

/**
 * Passes on the text of a file, unless it is a single JSON string: generated clients encode text in this way.
 *
 * @throws RefusedFile
 */
export async function* unquotedText(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield await beginningOf(pieces);
    yield* pieces;
  } finally {
    await pieces.return(undefined);
  }
}

/** As much of the text as is needed to see that it is no JSON string. */
async function beginningOf(pieces: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    text += next.value;
    if (text === '') continue;
    if (!text.startsWith('"') || LINE_BREAK.test(text.trimEnd())) return text;
    if (text.length <= MAX_ROW_LENGTH) continue;
    refuseJsonString(text, false);
    return text;
  }
  refuseJsonString(text, true);
  return text;
}

function refuseJsonString(text: string, isWhole: boolean): void {
  if (!(isWhole ? FILE_TEXT.test(jsonString(text)) : JSON_STRING.test(text))) return;
  throw new RefusedFile([{ detail: 'it is one quoted JSON string; send the text of the file as the body, without encoding it as JSON' }]);
}

function jsonString(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}
