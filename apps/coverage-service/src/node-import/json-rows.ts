import { Problem } from '@fibre/problems';
import { inspectJson } from '@fibre/validation';
import { JSONParser } from '@streamparser/json';
import { type Fields, MAX_ROW_BYTES, type SentRow, UnreadableFile } from './node-import.js';
import { utf8Chunks } from './utf8.js';

/** Coordinate reference systems of longitude and latitude on WGS 84, as older GeoJSON names them. */
const WGS84 = /(CRS84|EPSG:+4326)$/;

/**
 * The rows of newline-delimited JSON: one object in each line.
 *
 * @throws UnreadableFile
 */
export async function* ndjsonRows(bytes: AsyncIterable<Buffer>): AsyncGenerator<SentRow[]> {
  let [line, pending] = [1, ''];
  let isEmpty = true;
  const rowsOf = (lines: readonly string[]): SentRow[] =>
    lines.flatMap((text) => {
      const place = line++;
      if (text.length > MAX_ROW_BYTES) throw tooLong(place);
      if (text.trim() === '') return [];
      isEmpty = false;
      return readObject(place, text);
    });
  for await (const chunk of utf8Chunks(bytes, (place) => place)) {
    const lines = (pending + chunk.toString()).split('\n');
    pending = lines.pop()!;
    if (pending.length > MAX_ROW_BYTES) throw tooLong(line + lines.length);
    yield rowsOf(lines);
  }
  yield rowsOf([pending]);
  if (isEmpty) throw new UnreadableFile('is empty');
}

const tooLong = (line: number): UnreadableFile => new UnreadableFile(`has a row of more than ${MAX_ROW_BYTES} characters`, line);

function readObject(place: number, text: string): SentRow {
  const refused = (detail: string): SentRow => ({ place, fields: {}, fault: { detail } });
  try {
    const value: unknown = JSON.parse(inspectJson(text));
    return isObject(value) ? { place, fields: value } : refused('has to be a JSON object');
  } catch (error) {
    return refused(
      error instanceof Problem ? error.message.replace('The body', 'The row') : `is not valid JSON: ${(error as Error).message}`,
    );
  }
}

/**
 * The features of a GeoJSON FeatureCollection (RFC 7946); places count features.
 *
 * @throws UnreadableFile
 */
export async function* geoJsonRows(bytes: AsyncIterable<Buffer>): AsyncGenerator<SentRow[]> {
  let [feature, unread, type] = [0, 0, undefined as unknown];
  let rows: SentRow[] = [];
  const parser = new JSONParser({ paths: ['$.features.*', '$.type', '$.crs'], keepStack: false });
  // Its own drops a byte order mark (U+FEFF) from the beginning of every text.
  const { tokenizer } = parser as unknown as { tokenizer: { bufferedString: { decoder: unknown } } };
  tokenizer.bufferedString.decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  parser.onValue = ({ value, key, stack }) => {
    if (stack.length > 1) rows.push(rowOf(++feature, value));
    else if (key === 'type') type = value;
    else if (key === 'crs') requireWgs84(value);
  };
  const parse = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (error instanceof UnreadableFile) throw error;
      throw new UnreadableFile(`is not valid JSON: ${(error as Error).message}`, feature + 1);
    }
  };
  for await (const chunk of utf8Chunks(bytes, () => feature + 1)) {
    // What the parser holds of a feature that does not end is bounded by this.
    for (let at = 0; at < chunk.length; at += MAX_ROW_BYTES) {
      const part = chunk.subarray(at, at + MAX_ROW_BYTES);
      const before = feature;
      parse(() => parser.write(part));
      unread = feature > before ? 0 : unread + part.length;
      if (unread > MAX_ROW_BYTES) throw new UnreadableFile(`has a feature of more than ${MAX_ROW_BYTES} bytes`, feature + 1);
    }
    yield rows;
    rows = [];
  }
  parse(() => {
    if (!parser.isEnded) parser.end();
  });
  if (type !== 'FeatureCollection') throw new UnreadableFile('is no GeoJSON FeatureCollection');
}

function requireWgs84(crs: unknown): void {
  const name = isObject(crs) && isObject(crs['properties']) ? crs['properties']['name'] : undefined;
  if (crs === null || (typeof name === 'string' && WGS84.test(name))) return;
  throw new UnreadableFile(
    `has coordinates in ${typeof name === 'string' ? name : 'an unknown system'}`,
    undefined,
    'Export it in WGS 84 (EPSG:4326), as RFC 7946 asks.',
  );
}

function rowOf(place: number, feature: unknown): SentRow {
  const refused = (detail: string, column?: string): SentRow => ({ place, fields: {}, fault: { column, detail } });
  if (!isObject(feature) || feature['type'] !== 'Feature') return refused('has to be a Feature');
  const { geometry, properties } = feature;
  if (!isObject(geometry) || geometry['type'] !== 'Point') return refused('has to be a Point', 'geometry');
  const [longitude, latitude, altitude] = Array.isArray(geometry['coordinates']) ? (geometry['coordinates'] as unknown[]) : [];
  if (![longitude, latitude, altitude ?? 0].every((value) => typeof value === 'number'))
    return refused('needs coordinates: [longitude, latitude]', 'geometry');
  if (properties !== null && !isObject(properties)) return refused('has to be an object', 'properties');
  const fields = withoutEmpty(properties ?? {});
  // Programs that made it of a table leave its columns there.
  for (const [column, value] of Object.entries({ latitude, longitude }))
    if (fields[column] !== undefined && Number(fields[column]) !== value) return refused('contradicts the geometry', column);
  return { place, fields: { ...fields, latitude, longitude } };
}

/** Programs that made it of a table write an empty cell as an empty text, which no column may be. */
const withoutEmpty = (properties: Fields): Fields =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== '' && value !== null));

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
