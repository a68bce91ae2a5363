import { ProblemResponse } from '@fibre/problems';
import { ApiProperty, IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import type { RowUnit, StoredRows } from './store-rows.js';

const IF_KEPT = ', or would have if the import had been neither rejected nor a dry run';
const ERRORS = 'What is wrong with the rejected rows, in file order; at most 1,000.';

/** A fault in a row of a file. */
export class RowErrorResponse {
  @ApiProperty({ type: 'integer', required: false, description: 'Line where the row begins; the header is line 1.' })
  line?: number;

  @ApiProperty({ type: 'integer', required: false, description: 'In a GeoJSON file: number of the feature, from 1.' })
  feature?: number;

  @ApiProperty({ type: String, required: false, description: 'Name of the column; absent if the whole row is wrong.' })
  column?: string;

  @ApiProperty({ type: String, description: 'What is wrong.' })
  detail!: string;
}

/** A node that an import deletes. */
export class DeletedByImportResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The node.' })
  node_id!: string;

  @ApiProperty({ type: String, required: false, description: 'Your name for it.' })
  customer_reference?: string;
}

/** Outcome of an import. */
export class ImportResponse {
  @ApiProperty({ type: 'integer', description: 'Non-empty rows read from the file.' })
  rows!: number;

  @ApiProperty({ type: 'integer', description: `Rows that created a node${IF_KEPT}.` })
  created!: number;

  @ApiProperty({ type: 'integer', description: `Rows that changed the node with their customer reference${IF_KEPT}.` })
  updated!: number;

  @ApiProperty({ type: 'integer', description: 'Rows that already match their node.' })
  unchanged!: number;

  @ApiProperty({ type: 'integer', description: 'Rejected rows.' })
  refused!: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 2, maxItems: 2 },
    maxItems: 10_000,
    description: 'Every line of the rejected rows, as ranges from a first to a last line; in a GeoJSON file: numbers of features.',
    example: [
      [12, 40],
      [77, 77],
    ],
  })
  refused_lines!: [number, number][];

  @ApiProperty({
    type: 'integer',
    description: `Nodes that no row names and \`absent=delete\` deleted${IF_KEPT}; 0 if rows were rejected.`,
  })
  deleted!: number;

  @ApiProperty({
    type: [DeletedByImportResponse],
    required: false,
    description: 'The deleted nodes, if any, by customer reference; at most 1,000.',
  })
  deleted_nodes?: DeletedByImportResponse[];

  @ApiProperty({
    type: Boolean,
    enum: [true],
    required: false,
    description: 'The import stopped at the 10,000th rejected row; the counts cover the rows up to that one.',
  })
  stopped?: true;

  @ApiProperty({
    type: [RowErrorResponse],
    required: false,
    description:
      'Rows of a dry run that would create a node, although their reference is probably that of a node which no row names, as a program such as a spreadsheet has changed it; ' +
      'in file order, at most 1,000. Absent if there are none.',
  })
  warnings?: RowErrorResponse[];

  @ApiProperty({ type: [RowErrorResponse], description: ERRORS })
  errors!: RowErrorResponse[];
}

/** The response to an import that has stored its rows, or would have. */
export const importResponse = (
  { rows, refused, created, updated, matched, different, deleted, deletedNodes, likelyChanged }: StoredRows,
  unit: RowUnit,
): ImportResponse => ({
  rows,
  created,
  updated,
  unchanged: matched - different,
  refused: refused.count,
  deleted,
  ...(deletedNodes.length > 0 && { deleted_nodes: deletedNodes }),
  ...(refused.stoppedAt !== undefined && { stopped: true }),
  ...(likelyChanged.length > 0 && {
    warnings: likelyChanged.map(({ place, reference }) => ({
      [unit]: place,
      column: 'customer_reference',
      detail: `is new, but differs from ${JSON.stringify(reference)}, a node that no row names, only in case, in leading zeros or in how a number, date or time is written; a program may have changed it`,
    })),
  }),
  refused_lines: refused.ranges(),
  errors: refused.faults.map(({ place, column, detail }) => ({ [unit]: place, ...(column !== undefined && { column }), detail })),
});

/** Error response of an import, for the OpenAPI document. */
export class ImportProblemResponse extends IntersectionType(ProblemResponse, PartialType(OmitType(ImportResponse, ['errors']))) {
  @ApiProperty({ type: [RowErrorResponse], required: false, description: `${ERRORS} For an invalid request: every invalid parameter.` })
  declare errors?: never;
}
