import { membersOf } from '@fibre/dto';
import { shortName } from '@fibre/problems';
import { InvalidParts, readPart } from '@fibre/validation';
import { FIELD_TYPES, OPTIONAL_FIELDS, type OptionalField } from '../access-nodes/access-node.js';
import { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';
import { platformFaults, type PlatformRules } from '../access-nodes/platform-rules.js';
import { addCenter, DEGREES, placeColumnFaults } from '../files/place.js';
import { type Fields, repeated, type RowFault, type SentRow } from '../files/sent-row.js';

const COLUMNS: readonly string[] = [...membersOf(CreateAccessNodeRequest).keys(), ...DEGREES];
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

/** Numeric columns. */
export const NUMBERS: readonly string[] = [...DEGREES, ...OPTIONAL_FIELDS.filter((field) => FIELD_TYPES[field] === 'double precision')];

/** The texts by which others find a node. */
const KEYS: readonly OptionalField[] = OPTIONAL_FIELDS.filter((field) => FIELD_TYPES[field] === 'text' && field !== 'country');
/** How spreadsheets write a long number, such as 1.00023E+11. Its last digits are lost then, so different keys can become equal. */
const WITH_EXPONENT = /^-?\d([.,]\d+)?E[+-]\d+$/i;

/** Applies the rules for creating a single node to each row of a file. */
export class RowRules {
  /** Whether the table has columns for latitude and longitude. */
  private hasDegrees = false;

  constructor(
    private readonly request: RowsRequest,
    private readonly platform: PlatformRules,
  ) {}

  /** What is wrong with the columns of a table. */
  checkHeader(names: readonly string[]): readonly RowFault[] {
    const has = new Set(names);
    this.hasDegrees = DEGREES.some((column) => has.has(column));
    const unknown = [...has].filter((name) => name !== '' && !COLUMNS.includes(name));
    const nameless = names.flatMap((name, index) => (name === '' ? [index + 1] : []));
    const missing = FOR_ALL_ROWS.filter((column) => this.request[column] === undefined && !has.has(column));
    const isNameless = this.request.absent === 'delete' && !has.has('customer_reference');
    return [
      ...unknown.map(unknownColumn),
      ...nameless.map((column) => ({ detail: `column ${column} has no name` })),
      ...repeated(names.filter((name) => name !== '')),
      ...missing.map((column) => ({ column, detail: 'is missing; it must be a column or a parameter of the request' })),
      ...(isNameless ? [{ column: 'customer_reference', detail: 'is missing; absent=delete needs it' }] : []),
      ...placeColumnFaults(names),
    ];
  }

  /** The row as a request to create a node, or everything that is wrong with it. */
  check({ fields: sent, fault }: SentRow): CreateAccessNodeRequest | readonly RowFault[] {
    if (fault) return [fault];
    const { latitude, longitude, ...fields } = sent;
    const faults = [...refuseUnknown(fields), ...this.fillIn(fields)];
    readCells(fields);
    if (this.request.absent === 'delete' && fields['customer_reference'] == null)
      faults.push({ column: 'customer_reference', detail: 'is required with absent=delete' });
    const hasDegrees = this.hasDegrees || latitude !== undefined || longitude !== undefined;
    if (hasDegrees) faults.push(...addCenter(fields, latitude, longitude));

    const invalid = new InvalidParts();
    const node = readPart(CreateAccessNodeRequest, fields, 'path', invalid);
    for (const { parameter: column, detail } of invalid.found) {
      const isKnown = (column === 'center' && hasDegrees) || faults.some((known) => known.column === column);
      if (!isKnown) faults.push({ column, detail });
    }
    faults.push(...KEYS.filter((column) => WITH_EXPONENT.test(node[column] as string)).map(shortenedKey));
    if (faults.length > 0) return faults;
    const forbidden = platformFaults(this.platform, node);
    if (forbidden.length === 0) return node;
    return forbidden.map(({ field, detail, hint }) => ({
      column: field === 'center' && hasDegrees ? 'latitude' : field,
      detail: [detail, hint].filter(Boolean).join('. '),
    }));
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
  return { column: shortName(name), detail: `is not a column of an import${meant ? `; did you mean ${meant}?` : ''}` };
}

const shortenedKey = (column: OptionalField): RowFault => ({
  column,
  detail: 'looks like a long number that a spreadsheet has shortened; format the column as text before you enter or open the values',
});

/** The allowed columns, for errors about other columns. */
export const COLUMNS_HINT = `The columns of an import are ${COLUMNS.join(', ')}.`;

/** Removes fields that are not columns; the header of a table has already been checked. */
function refuseUnknown(fields: Fields): RowFault[] {
  const unknown = Object.keys(fields).filter((name) => !COLUMNS.includes(name));
  for (const name of unknown) delete fields[name];
  return unknown.map(unknownColumn);
}

/** Everything in a table is text. What cannot be parsed stays as it is and fails validation. */
function readCells(fields: Fields): void {
  for (const [field, value] of Object.entries(fields)) {
    const type = FIELD_TYPES[field as OptionalField];
    if (typeof value === 'string' && type !== undefined && type !== 'text' && NUMBER.test(value)) fields[field] = Number(value);
  }
}
