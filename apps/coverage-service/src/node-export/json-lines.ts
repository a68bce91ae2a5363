import { TextTransform } from '@fibre/server';
import { OPTIONAL_FIELDS } from '../access-nodes/access-node.js';

/** Columns of an export, all of which an import takes. */
export const EXPORT_COLUMNS = ['relation_id', 'token', 'latitude', 'longitude', 'status', ...OPTIONAL_FIELDS] as const;
type Column = (typeof EXPORT_COLUMNS)[number];

/** What stands for the value of a column in the replacement of {@link ROW}. */
const value = (column: Column): string => `$${EXPORT_COLUMNS.indexOf(column) + 1}`;
const member = (column: Column): string => `"${column}":"${value(column)}"`;
const OPTIONAL_MEMBERS = OPTIONAL_FIELDS.map((column) => `,${member(column)}`).join('');
const NDJSON = `{${member('relation_id')},${member('token')},"center":"${value('latitude')}, ${value('longitude')}",${member('status')}${OPTIONAL_MEMBERS}}\n`;
const FEATURE =
  `{"type":"Feature","geometry":{"type":"Point","coordinates":[${value('longitude')},${value('latitude')}]},` +
  `"properties":{${member('relation_id')},${member('token')},${member('status')}${OPTIONAL_MEMBERS}}},\n`;

const ROW = new RegExp(`${EXPORT_COLUMNS.map(() => '([^\\t\\n]*)').join('\\t')}\\n`, 'g');
/** Members without a value. No text can look like one, for its quotes are escaped. */
const ABSENT = /,"[a-z_]+":"\\N"/g;
// eslint-disable-next-line no-control-regex -- these are what JSON does not take as they are
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f]/g;

/**
 * JSON of rows in the text format of COPY, which escapes as JSON does, but for quotes and some control characters.
 *
 * Whole pieces at once, by the engine's own replacing: PostgreSQL takes several times as long to write JSON as to write the row.
 */
class JsonLines extends TextTransform {
  private pending = '';

  constructor(private readonly template: string) {
    super();
  }

  protected change(text: string): string {
    const all = this.pending + text;
    const end = all.lastIndexOf('\n') + 1;
    this.pending = all.slice(end);
    return this.rows(all.slice(0, end));
  }

  protected rest(): string {
    return '';
  }

  protected rows(copied: string): string {
    let text = copied;
    if (text.includes('"')) text = text.replaceAll('"', '\\"');
    if (text.includes('\\v')) text = text.replaceAll(/\\(\\|v)/g, (escape, of) => (of === 'v' ? '\\u000b' : escape));
    text = text.replaceAll(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
    text = text.replace(ROW, this.template);
    return text.includes('\\N') ? text.replaceAll(ABSENT, '') : text;
  }
}

const [BEGIN, BETWEEN, END] = ['{"type":"FeatureCollection","features":[\n', ',\n', '\n]}\n'];

class Features extends JsonLines {
  private before = BEGIN;

  protected override rows(copied: string): string {
    if (copied === '') return '';
    const text = `${this.before}${super.rows(copied).slice(0, -BETWEEN.length)}`;
    this.before = BETWEEN;
    return text;
  }

  protected override rest(): string {
    return this.before === BEGIN ? `${BEGIN.trimEnd()}]}\n` : END;
  }
}

export const ndjson = (): TextTransform => new JsonLines(NDJSON);
export const geoJson = (): TextTransform => new Features(FEATURE);
