import { ApiProperty, OmitType } from '@nestjs/swagger';
import { PRIVATE_FIELDS } from '../access-nodes/access-node.js';
import { AccessNodeResponse } from '../access-nodes/access-node.response.js';
import type { FoundNode } from './coverage-search.service.js';

/** A search result (SPEC section 2.2): the CAN, less its owner's private fields, and how near it is. */
export class SearchResultResponse extends OmitType(AccessNodeResponse, PRIVATE_FIELDS) {
  @ApiProperty({ type: String, description: 'Grade by distance; A is the best.', example: 'A' })
  quality!: string;

  @ApiProperty({ type: Number, description: 'Metres on the WGS84 ellipsoid, two decimals.', example: 12.34 })
  distance!: number;
}

/** The text of a {@link SearchResultResponse}: what PostgreSQL wrote, and behind it what the search found out. */
export const searchResultJson = ({ node, distance, quality }: FoundNode): string =>
  `${node.json.slice(0, -1)},"quality":${JSON.stringify(quality)},"distance":${Math.round(distance * 100) / 100}}`;
