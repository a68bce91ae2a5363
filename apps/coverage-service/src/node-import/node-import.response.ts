import { ProblemResponse } from '@fibre/problems';
import { ApiProperty, IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import type { ImportReport, PlacedFault, RowPlace } from './node-import.js';

const IF_KEPT = ', or would have if the import had not been refused or a dry run';
const ERRORS = 'What is wrong with the rows that were refused, by their place in the file; at most 1,000.';

/** One thing that is wrong with a row of a file. */
export class RowErrorResponse {
  @ApiProperty({ type: 'integer', required: false, description: 'Line of the file that the row begins in; the header is line 1.' })
  line?: number;

  @ApiProperty({ type: 'integer', required: false, description: 'In a GeoJSON file instead: which feature, from 1.' })
  feature?: number;

  @ApiProperty({ type: String, required: false, description: 'Name of the column; absent when it is the row as a whole.' })
  column?: string;

  @ApiProperty({ type: String, description: 'What is wrong with it.' })
  detail!: string;
}

/** Outcome of an import. */
export class ImportResponse {
  @ApiProperty({ type: 'integer', description: 'Rows of the file that were read, without empty ones.' })
  rows!: number;

  @ApiProperty({ type: 'integer', description: `Rows that became a new node${IF_KEPT}.` })
  created!: number;

  @ApiProperty({ type: 'integer', description: `Rows that changed the node with their customer reference${IF_KEPT}.` })
  updated!: number;

  @ApiProperty({ type: 'integer', description: 'Rows whose node is like them already.' })
  unchanged!: number;

  @ApiProperty({ type: 'integer', description: 'Rows that were refused.' })
  refused!: number;

  @ApiProperty({
    type: Boolean,
    enum: [true],
    required: false,
    description: 'The file was not read beyond its 10,000th faulty row; the counts are those of the rows before.',
  })
  stopped?: true;

  @ApiProperty({ type: [RowErrorResponse], description: ERRORS })
  errors!: RowErrorResponse[];
}

/** Body of the refusal of a file, for the OpenAPI document. */
export class ImportProblemResponse extends IntersectionType(ProblemResponse, PartialType(OmitType(ImportResponse, ['errors']))) {
  @ApiProperty({ type: [RowErrorResponse], required: false, description: `${ERRORS} Or every invalid parameter of the request.` })
  declare errors?: never;
}

const toRowError =
  (place: RowPlace) =>
  ({ place: at, column, detail }: PlacedFault): RowErrorResponse => ({ [place]: at, ...(column !== undefined && { column }), detail });

export const toImportResponse = ({ faults, place, ...counts }: ImportReport): ImportResponse => ({
  ...counts,
  errors: faults.map(toRowError(place)),
});
