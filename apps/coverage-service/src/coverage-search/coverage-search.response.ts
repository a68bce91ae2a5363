import { ApiProperty, OmitType } from '@nestjs/swagger';
import { PRIVATE_FIELDS, PUBLIC_FIELDS } from '../access-nodes/access-node.js';
import { AccessNodeResponse, membersOf } from '../access-nodes/access-node.response.js';
import type { FoundNode } from './coverage-search.service.js';

/** A search result (SPEC section 2.2): the CAN, less its owner's private fields, and how near it is. */
export class SearchResultResponse extends OmitType(AccessNodeResponse, PRIVATE_FIELDS) {
  @ApiProperty({ type: String, description: 'Grade by distance; A is the best.', example: 'A' })
  quality!: string;

  @ApiProperty({ type: Number, description: 'Metres on the WGS84 ellipsoid, two decimals.', example: 12.34 })
  distance!: number;
}

export const toSearchResultResponse = ({ node, distance, quality }: FoundNode): SearchResultResponse => ({
  ...membersOf({ ...node, collection: 'nodes' }, PUBLIC_FIELDS),
  quality,
  distance: Math.round(distance * 100) / 100,
});
