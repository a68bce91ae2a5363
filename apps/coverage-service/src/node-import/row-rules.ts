import { membersOf } from '@fibre/dto';
import { shortName } from '@fibre/problems';
import { InvalidParts, readPart } from '@fibre/validation';
import { FIELD_TYPES, OPTIONAL_FIELDS, type OptionalField } from '../access-nodes/access-node.js';
import { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';
import { Center } from '../geography/center.js';
import { outsideOf, type ServiceArea } from '../geography/service-area.js';
import type { Fields, RowFault, SentRow } from '../import-files/sent-row.js';

const DEGREES = ['latitude', 'longitude'] as const;
const COLUMNS: readonly string[] = [...membersOf(CreateAccessNodeRequest).keys(), ...DEGREES];
const DECIMAL_DEGREES = /^-?\d{1,3}(\.\d+)?$/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Columns that a parameter of the request may give for all rows. */
const FOR_ALL_ROWS = ['relation_id', 'token'] as const;
type ForAllRows = Partial<Record<(typeof FOR_ALL_ROWS)[number], string>>;

/** Columns of numbers. */
export const NUMBERS: readonly string[] = [...DEGREES, ...OPTIONAL_FIELDS.filter((field) => FIELD_TYPES[field] === 'double precision')];

/** The rules of a single creation, for each row of a file. */
export class RowRules {
  /** Whether the table has columns for latitude and longitude. */
  private hasDegrees = false;

  constructor(
    private readonly forAllRows: ForAllRows,
    private readonly serviceArea: ServiceArea | undefined,
  ) {}

  /** What is wrong with the columns of a table. */
  checkHeader(names: readonly string[]): readonly RowFault[] {
    const has = new Set(names);
    const degrees = DEGREES.filter((column) => has.has(column));
    this.hasDegrees = degrees.length > 0;
    const unknown = [...has].filter((name) => !COLUMNS.includes(name));
    const missing = FOR_ALL_ROWS.filter((column) => this.forAllRows[column] === undefined && !has.has(column));
    const faults: RowFault[] = [
      ...unknown.map(unknownColumn),
      ...repeated(names).map((column) => ({ column: shortName(column), detail: 'stands in the header more than once' })),
      ...missing.map((column) => ({ column, detail: 'is missing; it has to be a column or a parameter of the request' })),
    ];
    if (has.has('center') && degrees.length > 0) faults.push(TWO_PLACES);
    if (!has.has('center') && degrees.length < 2) {
      const column = degrees.length === 0 ? 'center' : degrees[0] === 'latitude' ? 'longitude' : 'latitude';
      faults.push({ column, detail: 'is missing; a place is center, or latitude and longitude' });
    }
    return faults;
  }

  /** The row as a creation, or all that is wrong with it. */
  check({ fields: sent, fault }: SentRow): CreateAccessNodeRequest | readonly RowFault[] {
    if (fault) return [fault];
    const { latitude, longitude, ...fields } = sent;
    const faults = [...refuseUnknown(fields), ...this.fillIn(fields)];
    readCells(fields);
    const hasDegrees = this.hasDegrees || latitude !== undefined || longitude !== undefined;
    if (hasDegrees) faults.push(...addCenter(fields, latitude, longitude));

    const invalid = new InvalidParts();
    const node = readPart(CreateAccessNodeRequest, fields, 'path', invalid);
    for (const { parameter: column, detail } of invalid.found) {
      const isKnown = (column === 'center' && hasDegrees) || faults.some((known) => known.column === column);
      if (!isKnown) faults.push({ column, detail });
    }
    if (faults.length > 0) return faults;
    const outside = this.serviceArea && outsideOf(this.serviceArea, node.center);
    if (!outside) return node;
    return [{ column: hasDegrees ? 'latitude' : 'center', detail: [outside.detail, outside.hint].filter(Boolean).join('. ') }];
  }

  /** Gives the row what the request says for all of them. */
  private fillIn(fields: Fields): RowFault[] {
    return FOR_ALL_ROWS.flatMap((column) => {
      const value = this.forAllRows[column];
      if (value === undefined) return [];
      const own = (fields[column] ??= value);
      const isSame = typeof own === 'string' && (column === 'relation_id' ? own.toLowerCase() : own) === value;
      return isSame ? [] : [{ column, detail: `contradicts the ${column} of the request, ${value}` }];
    });
  }
}

const TWO_PLACES: RowFault = { column: 'center', detail: 'stands beside latitude and longitude; one of both is enough' };

function unknownColumn(name: string): RowFault {
  const meant = COLUMNS.find((column) => column === name.trim().toLowerCase());
  const detail = name === '' ? 'has no name' : `is not a column of an import${meant ? `; did you mean ${meant}?` : ''}`;
  return { column: shortName(name), detail };
}

/** The columns there are, for a refusal of others. */
export const COLUMNS_HINT = `The columns of an import are ${COLUMNS.join(', ')}.`;

/** Takes out what is not a column; a table's header has been checked. */
function refuseUnknown(fields: Fields): RowFault[] {
  const unknown = Object.keys(fields).filter((name) => !COLUMNS.includes(name));
  for (const name of unknown) delete fields[name];
  return unknown.map(unknownColumn);
}

/** Each name that stands more than once. */
function repeated(names: readonly string[]): string[] {
  const [seen, again] = [new Set<string>(), new Set<string>()];
  for (const name of names) (seen.has(name) ? again : seen).add(name);
  return [...again];
}

/** Everything in a table is text. What cannot be read stays as it is, for the validation to refuse. */
function readCells(fields: Fields): void {
  for (const [field, value] of Object.entries(fields)) {
    const type = FIELD_TYPES[field as OptionalField];
    if (typeof value !== 'string' || type === undefined || type === 'text') continue;
    if (type === 'boolean' && (value === 'true' || value === 'false')) fields[field] = value === 'true';
    if (type !== 'boolean' && NUMBER.test(value)) fields[field] = Number(value);
  }
}

/** Makes the center of latitude and longitude. */
function addCenter(fields: Fields, latitude: unknown, longitude: unknown): RowFault[] {
  if (fields['center'] != null) return [TWO_PLACES];
  for (const [column, value] of Object.entries({ latitude, longitude })) {
    if (value == null || value === '') return [{ column, detail: 'is required' }];
    const isDecimal = typeof value === 'string' ? DECIMAL_DEGREES.test(value) : Number.isFinite(value);
    if (!isDecimal) return [{ column, detail: 'has to be decimal degrees, such as 48.208555' }];
  }
  const center = Center.rounded(Number(latitude), Number(longitude));
  fields['center'] = center;
  return center instanceof Center ? [] : [{ column: center.axis, detail: center.detail }];
}
