import { InvalidParts, PartReader, readPart } from '@fibre/validation';
import { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';
import { Center } from '../geography/center.js';
import { outsideOf, type ServiceArea } from '../geography/service-area.js';
import type { Fields, GoodRow, RowFault, SentRow } from './node-import.js';

const DECIMALS = 10;

/** What the request says for all rows of the file. */
export interface ForAllRows {
  readonly relation_id?: string;
  readonly token?: string;
}
export const FOR_ALL_ROWS = ['relation_id', 'token'] as const satisfies (keyof ForAllRows)[];

/** The rules of a single creation, for each row of a file. */
export class RowRules {
  private readonly reader = new PartReader(CreateAccessNodeRequest);

  constructor(
    private readonly forAllRows: ForAllRows,
    private readonly serviceArea: ServiceArea | undefined,
  ) {}

  /** The row as a creation, or all that is wrong with it. */
  check({ place, fields, fault }: SentRow): GoodRow | readonly RowFault[] {
    if (fault) return [fault];
    const column = fields['latitude'] === undefined ? 'center' : 'latitude';
    const faults = [...this.fillIn(fields), ...makeCenter(fields)];
    const node = faults.length === 0 ? this.reader.read(fields) : undefined;
    if (!node) return [...faults, ...otherFaults(fields, faults)];
    const outside = this.serviceArea && outsideOf(this.serviceArea, node.center);
    return outside ? [{ column, detail: [outside.detail, outside.hint].filter(Boolean).join('. ') }] : { place, node };
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

/** Makes the center of latitude and longitude, where the row has these. */
function makeCenter(fields: Fields): RowFault[] {
  if (fields['latitude'] === undefined && fields['longitude'] === undefined) return [];
  const [latitude, longitude] = [degrees(fields['latitude']), degrees(fields['longitude'])];
  delete fields['latitude'];
  delete fields['longitude'];
  if (fields['center'] != null) return [{ column: 'center', detail: 'stands beside latitude and longitude; one of both is enough' }];
  const center = Center.parse(`${latitude}, ${longitude}`);
  fields['center'] = center;
  return center instanceof Center ? [] : [faultOfDegrees(latitude, longitude, center)];
}

/** Of a number, digits beyond ten decimals (0.01 mm) come from the binary form of it and mean nothing. */
const degrees = (value: unknown): string => {
  if (typeof value === 'number' && Number.isFinite(value)) return value.toFixed(DECIMALS).replace(/\.?0+$/, '');
  return typeof value === 'string' ? value : '';
};

function faultOfDegrees(latitude: string, longitude: string, detail: string): RowFault {
  const column = typeof Center.parse(`${latitude}, 0`) === 'string' ? 'latitude' : 'longitude';
  if ((column === 'latitude' ? latitude : longitude) === '') return { column, detail: 'is required' };
  return {
    column,
    detail: detail.startsWith('has to be') ? 'has to be decimal degrees, such as 48.208555' : detail.replace(`${column} `, ''),
  };
}

/** What class-validator says of the columns of which nothing is known yet. */
function otherFaults(fields: Fields, known: readonly RowFault[]): RowFault[] {
  const invalid = new InvalidParts();
  readPart(CreateAccessNodeRequest, fields, 'path', invalid);
  const columns = new Set(known.map(({ column }) => (column === 'latitude' || column === 'longitude' ? 'center' : column)));
  return invalid.found
    .map(({ parameter, detail }) => ({ column: parameter!, detail: detail.replace('parameter of this operation', 'column of an import') }))
    .filter(({ column }) => !columns.has(column));
}
