import { AUTHORS, membersOf } from '@fibre/dto';
import { shortName } from '@fibre/problems';
import { InvalidParts, readPart } from '@fibre/validation';
import { FIELD_TYPES, OPTIONAL_FIELDS, type OptionalField } from '../access-nodes/access-node.js';
import { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';
import { unitsFaults } from '../node-rules/connected-units.js';
import { platformFaults, type PlatformRules } from '../node-rules/platform-rules.js';
import { addCenter, type DegreeColumns, DEGREES, placeColumnFaults, X_AND_Y, xyColumns } from '../files/place.js';
import { type Fields, repeated, type RowFault, type SentRow } from '../files/sent-row.js';

const COLUMNS: readonly string[] = [...membersOf(CreateAccessNodeRequest).keys(), ...DEGREES];
/** Columns that are left out: what GIS programs add to a file, and what an export says of its nodes but nobody can set. */
const LEFT_OUT: readonly string[] = ['fid', 'ogc_fid', 'gml_id', ...AUTHORS];
/** GIS programs write dates with slashes or with a time of midnight. */
const DATE = /^(\d{4})(?:\/(\d\d)\/(\d\d)|-(\d\d)-(\d\d)T00:00:00(?:\.0+)?)$/;
/** PostgreSQL exports very small and very large numbers with an exponent, such as 1.5e-05. */
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i;

/** Columns whose value a parameter of the request may set for all rows. */
const FOR_ALL_ROWS = ['relation_id', 'token'] as const;
type ForAllRows = Partial<Record<(typeof FOR_ALL_ROWS)[number], string>>;

/** What the request says about the rows. */
interface RowsRequest extends ForAllRows {
  /** With `delete`, a node without a row is deleted, so every row must name its node. */
  readonly absent?: 'keep' | 'delete';
}

/** Numeric columns whose numbers may exceed a thousand. */
export const LARGE_NUMBERS: readonly string[] = OPTIONAL_FIELDS.filter((field) =>
  ['double precision', 'integer'].includes(FIELD_TYPES[field]),
);
/** Numeric columns. */
export const NUMBERS: readonly string[] = [...DEGREES, ...X_AND_Y, ...LARGE_NUMBERS];
const NAMED_ALIKE: DegreeColumns = { latitude: 'latitude', longitude: 'longitude' };

/** The texts by which others find a node. */
const KEYS: readonly OptionalField[] = OPTIONAL_FIELDS.filter((field) => FIELD_TYPES[field] === 'text' && field !== 'country');
/** How spreadsheets write a long number, such as 1.00023E+11. Its last digits are lost then, so different keys can become equal. */
const WITH_EXPONENT = /^-?\d([.,]\d+)?E[+-]\d+$/i;

/** Applies the rules for creating a single node to each row of a file. */
export class RowRules {
  /** The table's columns of latitude and longitude, if it has any. */
  private degrees: DegreeColumns | undefined;

  constructor(
    private readonly request: RowsRequest,
    private readonly platform: PlatformRules,
  ) {}

  /** What is wrong with the columns of a table. */
  checkHeader(names: readonly string[]): readonly RowFault[] {
    const has = new Set(names);
    const xy = xyColumns(names);
    this.degrees = xy ?? (DEGREES.some((column) => has.has(column)) ? NAMED_ALIKE : undefined);
    const known = [...COLUMNS, ...LEFT_OUT, ...Object.values(xy ?? {})];
    const unknown = [...has].filter((name) => name !== '' && !known.includes(name));
    const nameless = names.flatMap((name, index) => (name === '' ? [index + 1] : []));
    const missing = FOR_ALL_ROWS.filter((column) => this.request[column] === undefined && !has.has(column));
    const isNameless = this.request.absent === 'delete' && !has.has('customer_reference');
    return [
      ...unknown.map(unknownColumn),
      ...nameless.map((column) => ({ detail: `column ${column} has no name` })),
      ...repeated(names.filter((name) => name !== '')),
      ...missing.map((column) => ({ column, detail: 'is missing; it must be a column or a parameter of the request' })),
      ...(isNameless ? [{ column: 'customer_reference', detail: 'is missing; absent=delete needs it' }] : []),
      ...(xy ? [] : placeColumnFaults(names)),
    ];
  }

  /** The row as a request to create a node, or everything that is wrong with it. */
  check({ fields: sent, fault, faults: known = [] }: SentRow): CreateAccessNodeRequest | readonly RowFault[] {
    if (fault) return [fault];
    // A row of a file without a header has columns of its own.
    const isNamed = sent['latitude'] !== undefined || sent['longitude'] !== undefined;
    const degrees = this.degrees ?? (isNamed ? NAMED_ALIKE : xyColumns(Object.keys(sent)));
    const { fields, latitude, longitude } = withoutDegrees(sent, degrees);
    const faults = [...known, ...refuseUnknown(fields), ...this.fillIn(fields)];
    readCells(fields);
    if (this.request.absent === 'delete' && fields['customer_reference'] == null)
      faults.push({ column: 'customer_reference', detail: 'is required with absent=delete' });
    const nameOf = (column: string): string => degrees?.[column as keyof DegreeColumns] ?? column;
    if (degrees) faults.push(...addCenter(fields, latitude, longitude).map(({ column, detail }) => ({ column: nameOf(column!), detail })));

    const invalid = new InvalidParts();
    const node = readPart(CreateAccessNodeRequest, fields, 'path', invalid);
    for (const { parameter: column, detail } of invalid.found) {
      const isKnown = (column === 'center' && degrees !== undefined) || faults.some((known) => known.column === column);
      if (!isKnown) faults.push({ column, detail });
    }
    faults.push(...KEYS.filter((column) => WITH_EXPONENT.test(node[column] as string)).map(shortenedKey));
    if (faults.length > 0) return faults;
    const forbidden = platformFaults(this.platform, node).map(({ detail, hint, ...fault }) => ({
      ...fault,
      detail: [detail, hint].filter(Boolean).join('. '),
    }));
    const more = [...forbidden, ...unitsFaults(node)];
    if (more.length === 0) return node;
    return more.map(({ field, detail }) => ({ column: field === 'center' && degrees ? degrees.latitude : field, detail }));
  }

  /** Adds the values that the request sets for all rows. */
  private fillIn(fields: Fields): RowFault[] {
    return FOR_ALL_ROWS.flatMap((column) => {
      const value = this.request[column];
      if (value === undefined) return [];
      const own = (fields[column] ??= value);
      const isSame = typeof own === 'string' && (column === 'relation_id' ? own.toLowerCase() : own) === value;
      return isSame ? [] : [{ column, detail: `differs from the ${column} of the request, which is ${value}` }];
    });
  }
}

function unknownColumn(name: string): RowFault {
  if (name === '') return { detail: 'has a field without a name' };
  const meant = COLUMNS.find((column) => column === name.trim().toLowerCase());
  const isXy = (X_AND_Y as readonly string[]).includes(name);
  const hint = meant ? `; did you mean ${meant}?` : isXy ? '; X and Y are the position only in a file that has no other' : '';
  return { column: shortName(name), detail: `is not a column of an import${hint}` };
}

const shortenedKey = (column: OptionalField): RowFault => ({
  column,
  detail: 'looks like a long number that a spreadsheet has shortened; format the column as text before you enter or open the values',
});

/** The allowed columns, for errors about other columns. */
export const COLUMNS_HINT = `The columns of an import are ${COLUMNS.join(', ')}.`;

/** A row, and its latitude and longitude. */
function withoutDegrees(row: Fields, columns: DegreeColumns = NAMED_ALIKE): { fields: Fields; latitude: unknown; longitude: unknown } {
  const { [columns.latitude]: latitude, [columns.longitude]: longitude, ...fields } = row;
  return { fields, latitude, longitude };
}

/** Removes fields that are not columns; the header of a table has already been checked. */
function refuseUnknown(fields: Fields): RowFault[] {
  const unknown = Object.keys(fields).filter((name) => !COLUMNS.includes(name));
  for (const name of unknown) delete fields[name];
  return unknown.filter((name) => !LEFT_OUT.includes(name)).map(unknownColumn);
}

/** Everything in a table is text. What cannot be parsed stays as it is and fails validation. */
function readCells(fields: Fields): void {
  for (const [field, value] of Object.entries(fields)) {
    const type = FIELD_TYPES[field as OptionalField];
    if (typeof value !== 'string' || type === undefined || type === 'text') continue;
    if (type === 'date') fields[field] = value.replace(DATE, '$1-$2$4-$3$5');
    else if (NUMBER.test(value)) fields[field] = Number(value);
  }
}
