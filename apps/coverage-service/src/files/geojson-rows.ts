import { shortName } from '@fibre/problems';
import { inOneLine, isObject, parseJson } from './json.js';
import { type Fields, type FilePlace, MAX_ROW_LENGTH, RefusedFile, type SentRow, unreadableFile } from './sent-row.js';

/** Names of WGS 84 in older GeoJSON files, as CRS84 or EPSG:4326, in any version and in the forms of OGC. */
const WGS84 =
  /^(urn:(x-)?ogc:def:crs:|https?:\/\/www\.opengis\.net\/def\/crs\/)?((OGC[:/]([\d.]*[:/])?)?CRS84h?|EPSG[:/]([\d.]*[:/])?4326)$|^https?:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#4326$/i;
const USE_WGS84 = 'Export it in WGS 84 (EPSG:4326), as RFC 7946 requires.';
const BEFORE_FEATURES = /"features"\s*:\s*$/;
/** How many characters before an array are searched for its name. */
const NAME_LENGTH = 256;
/** Number of decimal places to which coordinates are compared; an import rounds to the same number. */
const DECIMALS = 10;

/**
 * Rows from the features of a GeoJSON FeatureCollection (RFC 7946); a row's place is the number of its feature.
 *
 * @throws Problem 400, RefusedFile
 */
export async function* geoJsonRows(pieces: AsyncIterable<string>): AsyncGenerator<SentRow> {
  const collection = new CollectionSplitter();
  for await (const piece of pieces) for (const text of collection.split(piece)) yield rowOf(collection.features, text);
  const { value, fault } = parse(collection.frame, collection.placeOfFault);
  if (fault !== undefined) throw new RefusedFile([{ detail: fault }]);
  if (!isObject(value) || value['type'] !== 'FeatureCollection') throw unreadableFile('is not a GeoJSON FeatureCollection');
  if (!Array.isArray(value['features'])) throw new RefusedFile([{ column: 'features', detail: 'must be an array of features' }]);
  const system = otherSystem(value);
  if (system !== undefined) throw unreadableFile(`has coordinates in ${system}`, {}, USE_WGS84);
}

/** Invalid JSON makes the rest of the file unreadable too. */
function parse(text: string, where: FilePlace): ReturnType<typeof parseJson> {
  const parsed = parseJson(text);
  if (parsed.isSyntax) throw unreadableFile(parsed.fault!, where);
  return parsed;
}

/**
 * Splits the text of a FeatureCollection into its features and the frame around them. It looks only at brackets and quotes; parsing each
 * part afterwards finds all other faults.
 */
class CollectionSplitter {
  /** The text without its features. */
  frame = '';
  /** Number of features so far. */
  features = 0;
  /** Text of the current feature. */
  private feature: string | undefined;
  private isFirst = true;
  /** Length of the text before the features. */
  private before: number | undefined;
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  /** Number of the first incomplete feature. */
  get nextFeature(): number {
    return this.features + (this.depth === 2 && this.feature?.trim() ? 2 : 1);
  }

  /** Where invalid JSON in the frame is: before the features, or in what should be a feature. */
  get placeOfFault(): FilePlace {
    const isBefore = parseJson(`${this.frame.slice(0, this.before)}]}`).isSyntax;
    return isBefore ? {} : { feature: this.nextFeature };
  }

  /** @returns the features that end in this piece of text */
  *split(piece: string): Generator<string> {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at]!;
      if (this.inString) {
        this.passString(character);
      } else if (character === '"') {
        this.inString = true;
      } else if (character === '{' || character === '[') {
        this.depth++;
        if (character !== '[' || this.depth !== 2) continue;
        this.keep(piece.slice(from, at));
        from = at;
        if (!BEFORE_FEATURES.test(this.frame.slice(-NAME_LENGTH))) continue;
        this.keep('[');
        this.before ??= this.frame.length;
        this.feature = '';
        this.isFirst = true;
        from = at + 1;
      } else if (character === ',' || character === '}' || character === ']') {
        const isEnd = character !== ',';
        if (this.feature !== undefined && this.depth === 2) {
          this.keep(piece.slice(from, at));
          from = isEnd ? at : at + 1;
          yield* this.endFeature(isEnd);
        }
        if (isEnd) this.depth--;
      }
    }
    this.keep(piece.slice(from));
  }

  private passString(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '\\') this.isEscaped = true;
    else if (character === '"') this.inString = false;
  }

  private keep(text: string): void {
    if (this.feature === undefined) this.frame += text;
    else this.feature += text;
    if (this.frame.length > MAX_ROW_LENGTH)
      throw new RefusedFile([{ column: 'features', detail: `is missing from the first ${MAX_ROW_LENGTH} characters` }]);
    if (this.feature && this.feature.length > MAX_ROW_LENGTH)
      throw unreadableFile(`has a feature of more than ${MAX_ROW_LENGTH} characters`, { feature: this.nextFeature });
  }

  private *endFeature(isLast: boolean): Generator<string> {
    const text = this.feature!;
    this.feature = isLast ? undefined : '';
    // An empty array has no feature; otherwise there must be one between any two commas.
    if (isLast && this.isFirst && text.trim() === '') return;
    this.isFirst = false;
    this.features++;
    yield text;
  }
}

/** The coordinate system that a GeoJSON object names, unless that is WGS 84. */
function otherSystem({ crs }: Fields): string | undefined {
  if (crs == null) return undefined;
  const { type, properties } = isObject(crs) ? crs : {};
  const { name, code } = isObject(properties) ? properties : {};
  const isCode = type === 'EPSG' && (typeof code === 'number' || typeof code === 'string');
  const system = isCode ? `EPSG:${code}` : name;
  if (typeof system !== 'string') return 'an unknown system';
  return WGS84.test(system) ? undefined : shortName(system);
}

function rowOf(place: number, text: string): SentRow {
  const { value: feature, fault } = parse(text, { feature: place });
  const sent = fault === undefined ? inOneLine(text) : JSON.stringify(text);
  const refused = (detail: string, column?: string): SentRow => ({ place, fields: {}, sent, fault: { column, detail } });
  if (fault !== undefined) return refused(fault);
  if (!isObject(feature) || feature['type'] !== 'Feature') return refused('must be a Feature');
  const { geometry, properties } = feature;
  if (!isObject(geometry) || geometry['type'] !== 'Point') {
    const row = refused('must be a Point', 'geometry');
    // A search can do without the point if the properties name an address.
    return geometry === null && isObject(properties) ? { ...row, fields: withoutEmpty(properties) } : row;
  }
  const system = otherSystem(feature) ?? otherSystem(geometry);
  if (system !== undefined) return refused(`has coordinates in ${system}. ${USE_WGS84}`);
  const [longitude, latitude, altitude] = Array.isArray(geometry['coordinates']) ? (geometry['coordinates'] as unknown[]) : [];
  if (![longitude, latitude, altitude ?? 0].every((value) => typeof value === 'number'))
    return refused('needs coordinates: [longitude, latitude]', 'geometry');
  if (properties !== null && !isObject(properties)) return refused('must be an object', 'properties');
  const fields = withoutEmpty(properties ?? {});
  // Programs that convert a table keep its coordinate columns as properties.
  for (const [column, value] of Object.entries({ latitude, longitude }))
    if (fields[column] !== undefined && !isSame(fields[column], value as number)) return refused('contradicts the geometry', column);
  return { place, fields: { ...fields, latitude, longitude }, sent };
}

const isSame = (property: unknown, coordinate: number): boolean =>
  (typeof property === 'number' || (typeof property === 'string' && /^-?\d+(\.\d+)?$/.test(property))) &&
  Number(property).toFixed(DECIMALS) === coordinate.toFixed(DECIMALS);

/** Programs that convert a table write an empty cell as an empty string, which is not valid in any column. */
const withoutEmpty = (properties: Fields): Fields =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== '' && value !== null));
