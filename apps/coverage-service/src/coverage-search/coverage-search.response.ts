import { ApiProperty, OmitType } from '@nestjs/swagger';
import { AccessNodeResponse } from '../access-nodes/access-node.response.js';
import { formatCenter } from '../geography/center.js';
import type { Hit } from './coverage-search.repository.js';
import { qualityOf, type QualityTable } from './quality.js';

/** A search result (SPEC section 2.2): the CAN, less its owner's reference, and how near it is. */
export class SearchResultResponse extends OmitType(AccessNodeResponse, ['customer_reference']) {
  @ApiProperty({ type: String, description: 'Grade by distance; A is the best.', example: 'A' })
  quality!: string;

  @ApiProperty({ type: Number, description: 'Metres on the WGS84 ellipsoid, two decimals.', example: 12.34 })
  distance!: number;
}

/** The grade is judged before the distance is rounded. */
export const toSearchResultResponse = ({ candidate: node, distance }: Hit, table: QualityTable): SearchResultResponse => ({
  node_id: node.node_id,
  relation_id: node.relation_id,
  collection: 'nodes',
  token: node.token,
  center: formatCenter(node),
  ...(node.technology !== null && { technology: node.technology }),
  status: node.status,
  ...(node.country !== null && { country: node.country }),
  ...(node.address_id !== null && { address_id: node.address_id }),
  ...(node.lot_id !== null && { lot_id: node.lot_id }),
  tenant: node.tenant,
  created_at: node.created_at,
  modified_at: node.modified_at,
  quality: qualityOf(distance, table),
  distance: Math.round(distance * 100) / 100,
});
