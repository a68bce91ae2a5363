import { ApiProperty } from '@nestjs/swagger';
import { OfferedNodeResponse } from '../access-nodes/access-node.response.js';
import type { FoundNode } from './coverage-search.service.js';

/** A search result (SPEC section 2.2): the public fields of the CAN, its distance and its quality. */
export class SearchResultResponse extends OfferedNodeResponse {
  @ApiProperty({ type: String, description: 'Grade by distance; A is best.', example: 'A' })
  quality!: string;

  @ApiProperty({ type: Number, description: 'Distance in metres on the WGS84 ellipsoid, two decimals.', example: 12.34 })
  distance!: number;
}

/** JSON of a {@link SearchResultResponse}: the node's text from PostgreSQL, with quality and distance added. */
export const searchResultJson = ({ node, distance, quality }: FoundNode): string =>
  `${node.json.slice(0, -1)},"quality":${JSON.stringify(quality)},"distance":${Math.round(distance * 100) / 100}}`;
