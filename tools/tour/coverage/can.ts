/** A coverage access node as the API returns it. */
export interface Can {
  node_id: string;
  relation_id: string;
  token: string;
  center: string;
  status: string;
  collection: string;
  tenant: string;
  technology?: string;
  country?: string;
  customer_reference?: string;
  created_at: string;
  modified_at: string;
}

export interface SearchResult extends Omit<Can, 'customer_reference'> {
  quality: string;
  distance: number;
}

export interface MergeResult {
  action: { count: number; merge_action: string }[];
}

export const NODES = '/v2/cov/nodes/';
export const SEARCH = '/v2/cov/search/';
